// The source: a line with its time, its count and its findings.

const rowOfLine = [];

/** The severity of the gravest finding of each line. */
function marks() {
  const found = new Map();
  const add = (line, severity) => {
    const known = found.get(line);
    if (line && (known === undefined || SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(known))) found.set(line, severity);
  };
  for (const finding of data.findings.filter((one) => one.kernel === data.kernel)) {
    add(finding.line, finding.severity);
    for (const label of finding.labels) add(label.line, finding.severity);
  }
  return found;
}

function drawSource() {
  const most = Math.max(1e-9, ...data.lines.map((line) => line.busy));
  const times = new Map(data.lines.map((line) => [line.line, line]));
  const found = marks();
  const words = { error: 'E', extension: 'x', lint: 'l' };
  const coloured = colouring();
  const list = html('div', {
    id: 'lines', role: 'listbox', tabindex: '0', 'aria-label': 'Lines of the program', onkeydown: sourceKey,
  });
  data.source.forEach((text, index) => {
    const line = index + 1;
    const file = fileOf(line);
    if (file && file.hidden) return;
    if (file && file.first > 1 && file.first === line) list.append(html('div', { class: 'file', 'aria-hidden': 'true' }, pathName(file.name)));
    const took = times.get(line);
    const share = took ? Math.max(2, (100 * took.busy) / most) : 0;
    const severity = found.get(line);
    const title = took && took.count
      ? `${took.operations.join(', ')}: ${plural(took.count, 'run')}, ${time(took.busy)} on all cores`
        + `, ${number(took.bytes)} bytes, ${time(took.critical)} of the critical path`
      : took && took.waiting ? `instructions wait here for ${time(took.waiting)}` : null;
    const row = html('div', { class: 'row', role: 'option', id: 'L' + line, 'aria-selected': 'false', title },
      html('span', { class: 'no' }, String(numberInFile(line))),
      html('span', { class: 'time' }, took && took.count ? time(took.busy) : took && took.waiting ? 'w ' + time(took.waiting) : '',
        took && took.count ? html('i', { style: `width:${share}%` }) : null),
      html('span', { class: 'count' }, took && took.count ? number(took.count) + '\u00d7' : ''),
      html('span', { class: 'mark ' + (severity || ''), 'aria-label': severity || null }, severity ? words[severity] : ''),
      html('span', { class: 'code' }, coloured(text)));
    row.addEventListener('click', () => select({ line, span: null, tile: null }));
    rowOfLine[line] = row;
    list.append(row);
  });
  document.getElementById('source').append(
    html('div', { class: 'head', 'aria-hidden': 'true' },
      html('span', {}, 'line'), html('span', {}, 'time'), html('span', {}, 'runs'), html('span', {}), pathName(data.shown || data.file)),
    list);
  openAtHottest(list);
}

/** Marks the hottest loop, or line without loops, and scrolls it to the upper third of the source. */
function openAtHottest(list) {
  const row = data.hottest && rowOfLine[data.hottest.line];
  if (!row) return;
  row.classList.add('hot');
  row.dataset.note = `hottest ${data.hottest.is_loop ? 'loop' : 'line'}, ${(100 * data.hottest.share).toFixed(0)} % of the time`;
  list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 3;
}

function sourceKey(event) {
  const last = data.source.length;
  const at = state.line ?? (data.hottest?.line ?? 1) - 1;
  const page = Math.max(1, Math.floor(document.getElementById('lines').clientHeight / 19) - 2);
  const moves = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 1, End: last };
  if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  let to = Math.max(1, Math.min(last, moves[event.key]));
  // Lines of a file that is not shown have no row.
  for (const by = to < at ? -1 : 1; to > 1 && to < last && !rowOfLine[to]; to += by);
  select({ line: to, span: null, tile: null });
}

function updateSource(changed) {
  const list = document.getElementById('lines');
  if (changed.includes('line')) {
    for (const row of list.querySelectorAll('.selected')) {
      row.classList.remove('selected');
      row.setAttribute('aria-selected', 'false');
    }
    const row = rowOfLine[state.line];
    if (row) {
      row.classList.add('selected');
      row.setAttribute('aria-selected', 'true');
      list.setAttribute('aria-activedescendant', row.id);
      row.scrollIntoView({ block: 'nearest' });
    }
  }
  if (changed.includes('query')) {
    rowOfLine.forEach((row, line) => row.classList.toggle('found', matching.has(line)));
    rowOfLine[Math.min(...matching)]?.scrollIntoView({ block: 'nearest' });
  }
  if (changed.includes('tile')) {
    const uses = new Set(state.tile ? tileOf(state.tile).lines : []);
    rowOfLine.forEach((row, line) => row.classList.toggle('uses', uses.has(line)));
    const first = Math.min(...uses);
    if (rowOfLine[first] && state.line === null) rowOfLine[first].scrollIntoView({ block: 'nearest' });
  }
}
