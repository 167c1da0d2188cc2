// The timeline: a row for each pipe of each core, an instruction or an interval for each bar.

const ROW = 18;
const line = data.timeline || { rows: [], sources: [], row: [], start: [], length: [], count: [] };
const isIntervals = line.count.length > 0;

/** The entries of each row, in the order of time. */
const entries = line.rows.map(() => []);
line.row.forEach((row, index) => entries[row].push(index));
entries.forEach((list) => list.sort((a, b) => line.start[a] - line.start[b]));

const lineOfEntry = (index) => line.sources[line.source[index]][1];
const endOf = (index) => line.start[index] + line.length[index];

/** The time from the end of an instruction on its pipe until its results are there. */
const latencyOf = (index) => line.latency?.[index] ?? 0;

/** The row that keys move in. */
let activeRow = 0;

/** The position in a row of the first entry that ends after a time. */
function firstAfter(list, at) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(list[middle]) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function describe(index) {
  const [name, place, inside] = line.sources[line.source[index]];
  const row = line.rows[line.row[index]];
  const where = `${row.pipe} of ${row.core}, block ${row.block}`;
  if (isIntervals) {
    return `${plural(line.count[index], 'instruction')} begin, busy ${(100 * line.busy[index]).toFixed(0)} %\nmostly ${name} at ${lineName(place)}\n${where}`;
  }
  const cause = line.cause[index] >= 0 ? line.sources[line.source[line.cause[index]]] : null;
  const waited = cause ? `\nwaited for ${cause[0]} at ${lineName(cause[1])}` : '';
  const latency = latencyOf(index) > 0 ? `, results after another ${time(latencyOf(index))}` : '';
  return `${name} at ${lineName(place)} of ${sigil && '@'}${inside}\n${time(line.start[index])}, for ${time(line.length[index])}${latency}\n${where}${waited}`;
}

function entryAt(x, y, width) {
  const list = entries[Math.floor(y / ROW)];
  if (!list) return null;
  const at = axis.from + (x / width) * (axis.to - axis.from);
  const slack = (2 / width) * (axis.to - axis.from);
  for (let index = firstAfter(list, at - slack); index < list.length && line.start[list[index]] <= at + slack; index += 1) {
    if (endOf(list[index]) >= at - slack) return list[index];
  }
  return null;
}

/** The latency of the instructions of a row, in a lighter colour, until the next instruction begins. */
function drawLatency(drawn, width, row, fill) {
  const list = entries[row];
  drawn.fillStyle = fill;
  for (let index = Math.max(0, firstAfter(list, axis.from) - 1); index < list.length; index += 1) {
    const entry = list[index];
    if (line.start[entry] > axis.to) break;
    const next = line.start[list[index + 1]] ?? WHOLE;
    const x = Math.max(-2, xOf(endOf(entry), width));
    const end = Math.min(width + 2, xOf(Math.min(next, endOf(entry) + latencyOf(entry)), width));
    if (end <= x) continue;
    drawn.globalAlpha = isFaint(lineOfEntry(entry)) && entry !== state.span ? 0.08 : 0.32;
    drawn.fillRect(x, row * ROW + 2, end - x, ROW - 4);
  }
  drawn.globalAlpha = 1;
}

function drawBars(drawn, width, row, fill) {
  const list = entries[row];
  const y = row * ROW;
  let covered = -1;
  drawn.font = '11px ui-monospace, Menlo, "DejaVu Sans Mono", monospace';
  for (let index = firstAfter(list, axis.from); index < list.length; index += 1) {
    const entry = list[index];
    if (line.start[entry] > axis.to) break;
    const x = Math.max(-2, xOf(line.start[entry], width));
    const end = Math.min(width + 2, xOf(endOf(entry), width));
    const picked = entry === state.span;
    if (end < covered && !picked) continue;
    const size = Math.max(1, end - x - (end - x > 4 ? 1 : 0));
    covered = x + size;
    const height = isIntervals ? Math.max(2, (ROW - 4) * line.busy[entry]) : ROW - 4;
    drawn.globalAlpha = isFaint(lineOfEntry(entry)) && !picked ? 0.22 : 1;
    drawn.fillStyle = fill;
    drawn.fillRect(x, y + ROW - 2 - height, size, height);
    if (picked) {
      drawn.strokeStyle = color('ink');
      drawn.lineWidth = 2;
      drawn.strokeRect(x - 1, y + 1, size + 2, ROW - 2);
    }
    const name = line.sources[line.source[entry]][0];
    if (!isIntervals && size > name.length * 6.7 + 6) {
      drawn.fillStyle = '#ffffff';
      drawn.fillText(name, x + 4, y + 13);
    }
  }
  drawn.globalAlpha = 1;
}

function arrow(drawn, [x1, y1], [x2, y2], stroke, dashed) {
  drawn.strokeStyle = stroke;
  drawn.fillStyle = stroke;
  drawn.lineWidth = 1.5;
  drawn.setLineDash(dashed ? [5, 4] : []);
  drawn.beginPath();
  drawn.moveTo(x1, y1);
  drawn.bezierCurveTo(x1 + 12, y1, x2 - 12, y2, x2, y2);
  drawn.stroke();
  drawn.setLineDash([]);
  drawn.beginPath();
  drawn.moveTo(x2, y2);
  drawn.lineTo(x2 - 6, y2 - 3.5);
  drawn.lineTo(x2 - 6, y2 + 3.5);
  drawn.fill();
}

const middle = (row) => row * ROW + ROW / 2;

/** What the selected instruction waited for, and what that waited for, and so on. */
function drawCauses(drawn, width) {
  let at = state.span;
  for (let steps = 0; steps < 60 && at !== null && !isIntervals && line.cause[at] >= 0; steps += 1) {
    const cause = line.cause[at];
    const end = Math.min(endOf(cause) + latencyOf(cause), line.start[at]);
    arrow(drawn, [xOf(end, width), middle(line.row[cause])], [xOf(line.start[at], width), middle(line.row[at])], color('ink'), false);
    at = cause;
  }
}

function drawRaces(drawn, width) {
  for (const { sides } of data.conflicts) {
    if (sides.some((side) => side.row === null || !side.time)) continue;
    arrow(drawn, [xOf(sides[0].time[1], width), middle(sides[0].row)], [xOf(sides[1].time[0], width), middle(sides[1].row)], color('conflict'), true);
  }
}

function drawTimeline(panel) {
  const canvas = html('canvas', {
    id: 'timeline', tabindex: '0', role: 'application',
    'aria-label': 'Timeline. Plus and minus zoom, left and right move, up and down choose a pipe, n and p step through its instructions, Enter shows the line.',
  });
  const names = html('div', { class: 'names' });
  const range = html('span', { class: 'range', id: 'range' });
  const times = html('canvas', { 'aria-hidden': 'true' });
  const button = (text, label, act) => html('button', { type: 'button', 'aria-label': label, onclick: act }, text);
  const several = new Set(line.rows.map((row) => `${row.rank}/${row.block}`)).size > 1;
  line.rows.forEach((row, index) => {
    const block = several ? `b${row.block} ` : '';
    names.append(html('div', { title: `rank ${row.rank}, block ${row.block}, ${row.core}, ${row.pipe}: busy ${(100 * row.busy).toFixed(1)} %`, 'data-row': index },
      html('span', { class: 'of' }, `${block}${row.core.replace('vector core ', 'vec ').replace(' core', '')} `), row.pipe));
  });
  panel.append(
    html('div', { class: 'bar' }, button('+', 'Zoom in', () => zoom(0.6, 0.5)), button('\u2212', 'Zoom out', () => zoom(1 / 0.6, 0.5)),
      button('\u25c2', 'Earlier', () => pan(-0.25)), button('\u25b8', 'Later', () => pan(0.25)), button('All', 'Show the whole time', () => show(0, WHOLE)), range),
    html('p', { class: 'keys' }, 'Wheel or ', html('kbd', {}, '+'), ' ', html('kbd', {}, '-'), ' zoom, drag or ', html('kbd', {}, '\u2190'), ' ', html('kbd', {}, '\u2192'),
      ' move, ', html('kbd', {}, '\u2191'), ' ', html('kbd', {}, '\u2193'), ' choose a pipe, ', html('kbd', {}, 'n'), ' ', html('kbd', {}, 'p'),
      ' step through instructions. Light: the latency of results. Arrows: what the selected one waited for. Red: a race.'),
    html('div', { class: 'chart axis' }, html('div'), times),
    html('div', { class: 'scroll' }, html('div', { class: 'chart' }, names, canvas)));
  const draw = () => {
    if (!canvas.clientWidth) return;
    drawTimes(times);
    const { drawn, width } = context(canvas, Math.max(1, line.rows.length) * ROW);
    line.rows.forEach((row, index) => {
      if (index === activeRow && document.activeElement === canvas) {
        drawn.fillStyle = color('pick');
        drawn.fillRect(0, index * ROW, width, ROW);
      }
      drawn.fillStyle = color('line');
      drawn.fillRect(0, (index + 1) * ROW - 1, width, 0.5);
      const fill = color(row.pipe.toLowerCase()) || color('s');
      drawLatency(drawn, width, index, fill);
      drawBars(drawn, width, index, fill);
      names.children[index].classList.toggle('picked', index === activeRow && document.activeElement === canvas);
    });
    drawCauses(drawn, width);
    drawRaces(drawn, width);
    range.textContent = `${time(axis.from)} to ${time(axis.to)} of ${time(WHOLE)}`;
    canvas.dataset.from = axis.from;
    canvas.dataset.to = axis.to;
  };
  axis.draw.push(draw);
  const pick = (entry) => {
    if (entry === null) return select({ span: null, line: null, tile: null });
    activeRow = line.row[entry];
    select({ span: entry, line: lineOfEntry(entry), tile: null });
    say(describe(entry));
  };
  const step = (by) => {
    const list = entries[activeRow] || [];
    const at = list.indexOf(state.span);
    const next = at < 0 ? firstAfter(list, axis.from) : at + by;
    if (list[next] === undefined) return;
    pick(list[next]);
    const [start, end] = [line.start[list[next]], endOf(list[next])];
    const length = axis.to - axis.from;
    if (start < axis.from || end > axis.to) show((start + end - length) / 2, (start + end + length) / 2);
  };
  const move = (by) => {
    activeRow = Math.max(0, Math.min(line.rows.length - 1, activeRow + by));
    const row = line.rows[activeRow];
    if (row) say(`${row.pipe} of ${row.core}, block ${row.block}, busy ${(100 * row.busy).toFixed(1)} %`);
    names.children[activeRow]?.scrollIntoView({ block: 'nearest' });
    redraw();
  };
  controls(canvas, {
    pick: (x, y) => pick(entryAt(x, y, canvas.clientWidth)),
    hover: (x, y) => {
      const entry = entryAt(x, y, canvas.clientWidth);
      return entry === null ? '' : describe(entry);
    },
    key: {
      ArrowUp: () => move(-1), ArrowDown: () => move(1), n: () => step(1), p: () => step(-1),
      Enter: () => rowOfLine[state.line]?.scrollIntoView({ block: 'center' }),
    },
  });
  canvas.addEventListener('focus', redraw);
  canvas.addEventListener('blur', redraw);
}
