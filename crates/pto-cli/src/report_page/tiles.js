// Contents of tiles after a step, as heat maps.

const tilesKept = data.contents ? data.contents.tiles : [];

/** Draws the visible heat maps again. */
let painted = [];

/** The numbers of a picture. */
function cellsOf(tile) {
  const bytes = Uint8Array.from(atob(tile.cells), (digit) => digit.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/** Whether a cell is, at least in part, within the valid region. */
function isValid(tile, row, col) {
  return row * tile.step[0] < tile.valid[0] && col * tile.step[1] < tile.valid[1];
}

function statistics(tile, cells) {
  const found = { nan: 0, plus: 0, minus: 0, least: Infinity, most: -Infinity, size: 0 };
  cells.forEach((number, index) => {
    if (!isValid(tile, Math.floor(index / tile.size[1]), index % tile.size[1])) return;
    if (Number.isNaN(number)) found.nan += 1;
    else if (number === Infinity) found.plus += 1;
    else if (number === -Infinity) found.minus += 1;
    else {
      found.least = Math.min(found.least, number);
      found.most = Math.max(found.most, number);
      found.size = Math.max(found.size, Math.abs(number));
    }
  });
  return found;
}

/** The colour of a number: towards one hue below zero, towards another one above. */
function shade(number, size, colors) {
  if (Number.isNaN(number)) return colors.nan;
  if (!Number.isFinite(number)) return number > 0 ? colors.plus : colors.minus;
  const share = size > 0 ? Math.min(1, Math.abs(number) / size) : 0;
  const hue = number < 0 ? colors.low : colors.high;
  return `rgb(${colors.zero.map((from, at) => Math.round(from + (hue[at] - from) * share)).join(',')})`;
}

function palette() {
  const triple = (name) => color(name).split(',').map(Number);
  return { nan: color('nan'), plus: color('plus'), minus: color('minus'), low: triple('low'), high: triple('high'), zero: triple('zero') };
}

function paintHeat(canvas, tile, cells, found) {
  const [rows, cols] = tile.size;
  const side = Math.max(3, Math.min(18, Math.floor(560 / cols), Math.floor(420 / rows)));
  const scale = window.devicePixelRatio || 1;
  canvas.style.width = cols * side + 'px';
  canvas.style.height = rows * side + 'px';
  canvas.width = cols * side * scale;
  canvas.height = rows * side * scale;
  canvas.dataset.side = side;
  const drawn = canvas.getContext('2d');
  drawn.setTransform(scale, 0, 0, scale, 0, 0);
  const colors = palette();
  drawn.font = `${side - 2}px sans-serif`;
  drawn.textAlign = 'center';
  cells.forEach((number, index) => {
    const [row, col] = [Math.floor(index / cols), index % cols];
    drawn.globalAlpha = isValid(tile, row, col) ? 1 : 0.3;
    drawn.fillStyle = shade(number, found.size, colors);
    drawn.fillRect(col * side, row * side, side, side);
    if (!Number.isFinite(number) && side >= 9) {
      drawn.fillStyle = '#000000';
      drawn.fillText(Number.isNaN(number) ? 'N' : number > 0 ? '+' : '\u2212', (col + 0.5) * side, (row + 1) * side - 2);
    }
  });
  drawn.globalAlpha = 1;
  const [validRows, validCols] = [tile.valid[0] / tile.step[0], tile.valid[1] / tile.step[1]];
  if (validRows < rows || validCols < cols) {
    drawn.strokeStyle = color('ink');
    drawn.lineWidth = 2;
    drawn.strokeRect(1, 1, Math.max(1, validCols * side - 2), Math.max(1, validRows * side - 2));
  }
}

function cellText(tile, cells, row, col) {
  const [down, along] = tile.step;
  const number = value(cells[row * tile.size[1] + col]);
  const place = (at, by, all) => (by === 1 ? String(at) : `${at * by} to ${Math.min(all, (at + 1) * by) - 1}`);
  const where = `row ${place(row, down, tile.declared[0])}, column ${place(col, along, tile.declared[1])}`;
  const reduced = down * along > 1 ? ', largest magnitude' : '';
  return `${where}: ${number}${reduced}${isValid(tile, row, col) ? '' : ', outside of the valid region'}`;
}

/** The heat map of a tile; arrow keys move through its cells. */
function heat(tile) {
  const cells = cellsOf(tile);
  const found = statistics(tile, cells);
  const canvas = html('canvas', { tabindex: '0', role: 'img', 'aria-label': `Contents of ${sigil}${tile.tile}; arrow keys move through the cells` });
  const read = html('p', { class: 'mono faint' }, 'point at a cell, or move with the arrow keys');
  let at = [0, 0];
  const tell = (row, col) => {
    at = [Math.max(0, Math.min(tile.size[0] - 1, row)), Math.max(0, Math.min(tile.size[1] - 1, col))];
    read.textContent = cellText(tile, cells, ...at);
  };
  canvas.addEventListener('pointermove', (event) => {
    const side = Number(canvas.dataset.side);
    tell(Math.floor(event.offsetY / side), Math.floor(event.offsetX / side));
  });
  canvas.addEventListener('keydown', (event) => {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (!moves[event.key]) return;
    event.preventDefault();
    tell(at[0] + moves[event.key][0], at[1] + moves[event.key][1]);
    say(read.textContent);
  });
  paintHeat(canvas, tile, cells, found);
  painted.push(() => paintHeat(canvas, tile, cells, found));
  const reduced = tile.step[0] * tile.step[1] > 1 ? `; a cell is ${tile.step.join(' x ')} elements` : '';
  const finite = found.size > 0 || found.least <= found.most ? `${value(found.least)} to ${value(found.most)}` : 'no finite number';
  const odd = [['nan', 'NaN'], ['plus', '+inf'], ['minus', '-inf']].filter(([key]) => found[key]);
  return html('div', { class: 'heat' },
    html('h3', {}, html('code', {}, sigil + tile.tile), ` ${tile.ty}`),
    html('p', { class: 'faint', style: 'margin:0' }, `valid ${tile.valid.join(' x ')} of ${tile.declared.join(' x ')}${reduced}`),
    html('p', { style: 'margin:0' }, finite, odd.map(([key, word]) => html('span', {}, ', ', html('b', { style: `color:var(--${key})` }, `${found[key]} ${word}`)))),
    canvas, read);
}

/** Steps with contents: operations by line, then runs and cores. */
function drawTiles(panel) {
  if (!tilesKept.length) {
    panel.append(html('p', {}, 'No instruction of the block wrote a tile.'));
    return;
  }
  const lines = [...new Map(tilesKept.map((tile) => [tile.line, tile.operation]))];
  const choose = html('select', { id: 'step' }, lines.map(([line, operation]) => html('option', { value: line }, `${lineName(line)}: ${operation}`)));
  const run = html('select', { id: 'run' });
  const shown = html('div', { class: 'heats' });
  const key = (tile) => `${tile.run} ${tile.core}`;
  const fill = () => {
    const [of, core] = [Number(run.value.split(' ')[0]), run.value.split(' ').slice(1).join(' ')];
    painted = [];
    shown.replaceChildren(...tilesKept.filter((tile) => tile.line === Number(choose.value) && tile.run === of && tile.core === core).map(heat));
  };
  const runs = () => {
    const keys = [...new Set(tilesKept.filter((tile) => tile.line === Number(choose.value)).map(key))];
    run.replaceChildren(...keys.map((text) => html('option', { value: text }, `run ${text.replace(' ', ' on the ').replace('the vector', 'vector')}`)));
    fill();
  };
  choose.addEventListener('change', () => {
    runs();
    select({ line: Number(choose.value), span: null, tile: null });
  });
  run.addEventListener('change', fill);
  panel.append(
    html('div', { class: 'bar' }, html('label', { for: 'step' }, 'Step'), choose, html('label', { for: 'run' }, 'Run'), run),
    html('div', { class: 'legend' },
      [['nan', 'NaN'], ['plus', '+infinity'], ['minus', '-infinity']].map(([name, word]) => html('span', {}, html('i', { style: `background:var(--${name})` }), word)),
      html('span', {}, html('i', { style: 'background:rgb(var(--low))' }), 'negative'), html('span', {}, html('i', { style: 'background:rgb(var(--high))' }), 'positive'),
      html('span', {}, 'framed: the valid region; pale: outside of it')),
    shown,
    html('p', { class: 'faint' }, 'Kept are the first three runs of an instruction in this block, and the last one whose number is a power of two.'));
  runs();
  onTheme(() => painted.forEach((paint) => paint()));
  view((changed) => {
    if (changed.includes('line') && lines.some(([line]) => line === state.line) && Number(choose.value) !== state.line) {
      choose.value = String(state.line);
      runs();
    }
  });
}
