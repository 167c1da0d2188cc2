// Findings, each with the lines that it is about; races as two accesses and the arrow that is missing.

/** Number of drawings, for the names of their arrow heads. */
let heads = 0;

/** Two accesses on their pipes, by time if it is known, and the order that does not hold. */
function drawConflict(conflict) {
  const [left, right, y1, y2, bar] = [24, 636, 28, 92, 22];
  const times = conflict.sides.map((side) => side.time);
  const known = times.every(Boolean);
  const from = known ? Math.min(times[0][0], times[1][0]) : 0;
  const to = known ? Math.max(times[0][1], times[1][1]) : 3;
  const x = (at) => left + ((right - left) * (at - from)) / Math.max(1e-9, to - from);
  const boxes = conflict.sides.map((side, index) => {
    const [start, end] = known ? side.time : index === 0 ? [0, 1.2] : [1.8, 3];
    return { x: Math.min(x(start), right - 8), width: Math.max(8, x(end) - x(start)), y: index === 0 ? y1 : y2 };
  });
  const shapes = conflict.sides.map((side, index) => {
    const box = boxes[index];
    const what = `${side.operation} ${side.writes ? 'writes' : 'reads'} ${sigil}${side.operand}`;
    const when = side.time ? `, ${time(side.time[0])} to ${time(side.time[1])}` : ', not on the timeline';
    const run = side.run > 1 ? `, run ${side.run}` : '';
    // The way between the bars is that of the arrow.
    const at = { x: left, y: index === 0 ? box.y - 9 : box.y + bar + 16 };
    const fill = color(side.pipe.toLowerCase()) || color('s');
    return [
      svg('line', { x1: left, x2: right, y1: box.y + bar / 2, y2: box.y + bar / 2, stroke: color('line') }),
      svg('rect', { x: box.x, y: box.y, width: box.width, height: bar, rx: 3, fill }),
      svg('text', at, `${index + 1}. ${what}  `,
        svg('tspan', { class: 'small' }, `${side.pipe}, ${side.core}, ${lineName(side.line)}${run}${when}`)),
    ];
  });
  const race = conflict.rule.startsWith('race');
  const [start, end] = [boxes[0].x + boxes[0].width, boxes[1].x];
  heads += 1;
  const id = 'head' + heads;
  const arrow = svg('path', {
    class: 'missing', 'marker-end': `url(#${id})`,
    d: `M ${start} ${y1 + bar} C ${start} ${y1 + bar + 22}, ${end} ${y2 - 26}, ${end} ${y2 - 3}`,
  });
  const head = svg('marker', { id, viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
    svg('path', { d: 'M0 0 L8 4 L0 8 z', fill: color('error') }));
  const bytes = conflict.bytes ? `${conflict.bytes}` : 'bytes of global memory';
  const text = race ? 'missing: 1 happens before 2' : 'overwrites what 2 still reads';
  return svg('svg', { class: 'drawing', viewBox: '0 0 660 160', role: 'img', 'aria-label': text },
    svg('defs', {}, head), shapes.flat(), arrow,
    svg('text', { x: left, y: 152, class: 'warn' }, text + '  ',
      svg('tspan', { class: 'small' }, `both access ${bytes}${conflict.count > 1 ? `; ${number(conflict.count)} times` : ''}`)));
}

function article(finding, index) {
  const conflicts = (data.conflicts || []).filter((conflict) => conflict.finding === index);
  const places = [
    finding.line ? html('p', {}, lineButton(finding.line, null, finding.kernel), finding.label ? ' ' + finding.label : '') : null,
    ...finding.labels.filter((label) => label.line)
      .map((label) => html('p', {}, lineButton(label.line, null, finding.kernel), label.message ? ' ' + label.message : '')),
  ];
  const list = (items) => (items.length ? html('ul', {}, items.map((item) => html('li', {}, item))) : null);
  const node = html('article', { 'data-finding': index },
    finding.kernel === undefined ? null : html('h4', {}, pathName(finding.file)),
    html('p', {}, finding.message), places, conflicts.map(drawConflict), list(finding.notes),
    finding.help.length ? html('p', { class: 'faint' }, 'Help: ' + finding.help.join(' ')) : null);
  node.addEventListener('click', () => select({ finding: index }));
  return node;
}

/** Findings with their indices in groups of one rule: errors first; within a severity, and within a group, by line. */
function groups() {
  const order = ({ finding, index }) => [SEVERITIES.indexOf(finding.severity), finding.kernel ?? 0, finding.line ?? 0, index];
  const compare = (a, b) => {
    const [left, right] = [order(a), order(b)];
    const at = left.findIndex((key, position) => key !== right[position]);
    return at < 0 ? 0 : left[at] - right[at];
  };
  const found = new Map();
  for (const one of data.findings.map((finding, index) => ({ finding, index })).sort(compare)) {
    const key = `${one.finding.severity} ${one.finding.rule}`;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(one);
  }
  return [...found.values()];
}

/** The findings of one rule, with their number. */
function group(found) {
  const { severity, rule } = found[0].finding;
  return html('details', { class: 'group', open: true, 'data-rule': rule },
    html('summary', {}, html('span', { class: severity }, severity), ' ', html('code', {}, rule), ' ', html('span', { class: 'number' }, String(found.length))),
    found.map(({ finding, index }) => article(finding, index)));
}

function drawFindings(panel) {
  const fill = () => {
    const others = (data.conflicts || []).filter((conflict) => conflict.finding === null);
    panel.replaceChildren(
      ...(data.findings.length ? groups().map(group) : [html('p', {}, 'There are no findings.')]),
      ...(others.length
        ? [html('h3', {}, 'Further conflicts'), ...others.map((conflict) => html('article', {},
          html('h3', {}, html('code', {}, conflict.rule)),
          html('p', {}, lineButton(conflict.sides[0].line), ' ', lineButton(conflict.sides[1].line)), drawConflict(conflict)))]
        : []));
  };
  fill();
  onTheme(fill);
  view((changed) => {
    if (!changed.includes('finding')) return;
    panel.querySelectorAll('article').forEach((node) => {
      node.classList.toggle('selected', node.dataset.finding === String(state.finding));
    });
  });
}

/** The lines that took most time, the parts of the critical path, the pipes. */
function drawFigures(panel) {
  const table = (caption, names, rows) => html('section', {}, html('h3', {}, caption), html('table', {},
    html('thead', {}, html('tr', {}, names.map((name, at) => html('th', { class: at === 0 ? 'left' : null, scope: 'col' }, name)))),
    html('tbody', {}, rows.map((cells) => html('tr', {}, cells.map((cell, at) => html('td', { class: at === 0 ? 'left' : null }, cell)))))));
  const share = (part) => (100 * part).toFixed(1) + ' %';
  const lines = data.lines.filter((line) => line.count > 0).sort((a, b) => b.busy - a.busy).slice(0, 40);
  const waits = data.lines.filter((line) => line.waiting > 0).sort((a, b) => b.waiting - a.waiting).slice(0, 20);
  panel.append(
    table('Critical path', ['part', 'cycles', 'share'], data.path.slice(0, 20).map((part) => [
      html('span', {}, part.line ? lineButton(part.line) : '', ` ${part.operation ? part.operation + ', ' : ''}${part.bound}`),
      number(part.cycles), share(part.cycles / Math.max(1, data.cycles))])),
    table('Operations, on all cores', ['line', 'busy', 'runs', 'bytes', 'critical'], lines.map((line) => [
      html('span', {}, lineButton(line.line), ' ' + line.operations.join(', ')),
      time(line.busy), number(line.count), number(line.bytes), time(line.critical)])),
    waits.length ? table('Waits, on all cores', ['line', 'waiting'], waits.map((line) => [lineButton(line.line), time(line.waiting)])) : '',
    table('Pipes', ['pipe', 'busy'], data.timeline.rows.map((row) => [`block ${row.block}, ${row.core}, ${row.pipe}`, share(row.busy)])));
}
