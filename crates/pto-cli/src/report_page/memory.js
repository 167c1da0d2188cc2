// The memory map: addresses from top to bottom, the time of the timeline to the right.

const KIND_COLORS = ['live', 'dead', 'unread', 'idle', 'conflict'];

/** Height in pixels of the addresses of a buffer: smaller if it has few tiles. */
const heightOf = (buffer) => Math.max(70, Math.min(220, 26 * new Set(buffer.tiles.map((tile) => tile.address)).size + 30));

/** The address at the lower edge: the capacity, unless the buffer is nearly empty. */
function lowest(buffer) {
  const capacity = buffer.capacity || buffer.peak;
  return Math.max(1, capacity > 2 * buffer.peak ? buffer.peak * 1.12 : Math.max(capacity, buffer.peak));
}

function tileText(tile) {
  const live = `live ${(100 * tile.live).toFixed(1)} % of the time`;
  const unused = tile.bytes - tile.used;
  return `${sigil}${tile.name} ${tile.type}\nbytes ${number(tile.address)} to ${number(tile.address + tile.bytes - 1)}, ${number(unused)} unused\n${tile.lines.length ? live : 'never accessed'}`;
}

/** Whether a tile is to be drawn faintly, since something else is selected or searched for. */
function isTileFaint(tile, picked) {
  if (state.tile) return !picked;
  if (state.query) return !tile.name.toLowerCase().includes(state.query) && !tile.lines.some((line) => matching.has(line));
  return state.line !== null && linesWithTime.has(state.line) && !tile.lines.includes(state.line) && tile.line !== state.line;
}

/** What is not read lies below what is live, whatever tile it belongs to. */
const LAYERS = [[1, 3], [2], [0]];

function drawBuffer(drawn, width, index) {
  const buffer = data.map.buffers[index];
  const height = heightOf(buffer);
  const end = lowest(buffer);
  const y = (address) => (address / end) * height;
  const at = (moment) => xOf((moment / data.map.moments) * WHOLE, width);
  const labels = [];
  drawn.font = '11px ui-monospace, Menlo, "DejaVu Sans Mono", monospace';
  for (const layer of LAYERS) {
    buffer.tiles.forEach((tile, number) => {
      const picked = state.tile === `${index}/${number}`;
      const faint = isTileFaint(tile, picked);
      const [top, bottom] = [y(tile.address), Math.max(y(tile.address) + 2, y(tile.address + tile.bytes))];
      for (const [first, last, kind] of data.map.pieces[index][number]) {
        const [x1, x2] = [Math.max(-2, at(first)), Math.min(width + 2, at(last + 1))];
        if (!layer.includes(kind) || x2 < 0 || x1 > width) continue;
        drawn.globalAlpha = faint ? 0.25 : 1;
        drawn.fillStyle = color(KIND_COLORS[kind]);
        drawn.fillRect(x1, top, Math.max(1, x2 - x1), bottom - top);
        drawn.strokeStyle = picked ? color('ink') : color('faint');
        drawn.lineWidth = picked ? 1.6 : 0.5;
        drawn.strokeRect(x1 + 0.25, top + 0.25, Math.max(1, x2 - x1) - 0.5, bottom - top - 0.5);
        if (kind !== 1) labels.push([Math.max(2, x1 + 3), x2, top, bottom, tile.name, faint]);
      }
    });
  }
  for (const conflict of data.map.conflicts.filter((one) => one.buffer === index && one.start !== undefined)) {
    const [x1, x2] = [xOf(conflict.start, width), xOf(conflict.end, width)];
    const [top, bottom] = [y(conflict.address), Math.max(y(conflict.address) + 3, y(conflict.address + conflict.bytes))];
    drawn.globalAlpha = 0.7;
    drawn.fillStyle = color('conflict');
    drawn.fillRect(x1, top, Math.max(3, x2 - x1), bottom - top);
  }
  names(drawn, labels);
}

/** Names of tiles, where they fit and cover no other one. */
function names(drawn, labels) {
  const taken = [];
  drawn.fillStyle = color('ink');
  for (const [x, right, top, bottom, name, faint] of labels) {
    const size = drawn.measureText(name).width;
    const y = (top + bottom) / 2 + 4;
    const covers = taken.some(([tx, tw, ty]) => Math.abs(ty - y) < 12 && x < tx + tw + 4 && tx < x + size + 4);
    if (bottom - top < 11 || right - x < size || covers) continue;
    drawn.globalAlpha = faint ? 0.4 : 1;
    drawn.fillText(name, x, y);
    taken.push([x, size, y]);
  }
  drawn.globalAlpha = 1;
}

function bufferTitle(buffer) {
  const of = buffer.capacity ? ` of ${number(buffer.capacity)}` : '';
  return `${buffer.name}: ${number(buffer.peak)}${of} bytes, ${number(buffer.live_peak)} live at once (${time(buffer.live_peak_at)}), `
    + `${number(buffer.reused)} reused, ${number(buffer.unused)} never accessed`;
}

function tilesTable(buffer, index) {
  const rows = buffer.tiles.map((tile, number_) => {
    const key = `${index}/${number_}`;
    const pick = () => select({ tile: state.tile === key ? null : key, line: null, span: null });
    return html('tr', { 'data-tile': key },
      html('td', { class: 'left' }, html('button', { class: 'go mono', type: 'button', onclick: pick }, sigil + tile.name)),
      html('td', { class: 'left' }, tile.type || 'never accessed'), html('td', {}, number(tile.address)), html('td', {}, number(tile.bytes)),
      html('td', {}, number(tile.bytes - tile.used)), html('td', {}, (100 * tile.live).toFixed(1) + ' %'), html('td', {}, lineButton(tile.line)));
  });
  const names_ = ['tile', 'type', 'address', 'bytes', 'unused', 'live', 'declared'];
  return html('details', {}, html('summary', {}, plural(buffer.tiles.length, 'tile')), html('table', {},
    html('thead', {}, html('tr', {}, names_.map((name, at) => html('th', { scope: 'col', class: at < 2 ? 'left' : null }, name)))),
    html('tbody', {}, rows)));
}

function drawMemory(panel) {
  const map = data.map;
  panel.append(html('h3', { class: 'memory' }, `Memory of block ${map.block}${map.rank ? ` of rank ${map.rank}` : ''}`),
    html('div', { class: 'legend' }, map.kinds.map((word, kind) => html('span', {}, html('i', { style: `background:var(--${KIND_COLORS[kind]})` }), word))));
  if (!map.buffers.length) panel.append(html('p', {}, 'No instruction of the block accesses a tile.'));
  map.buffers.forEach((buffer, index) => {
    const height = heightOf(buffer);
    const canvas = html('canvas', { tabindex: '0', role: 'application', class: 'map', 'aria-label': `${bufferTitle(buffer)}. Plus and minus zoom, left and right move; the tiles are in the table below.` });
    const scale = html('div', { class: 'names', 'aria-hidden': 'true', style: `height:${height}px` }, html('span', { style: 'top:0' }, '0'));
    const end = lowest(buffer);
    const y = (address) => Math.min(height - 15, Math.max(15, (address / end) * height - 7));
    scale.append(html('span', { style: `top:${y(buffer.peak)}px` }, 'peak ' + number(buffer.peak)));
    if (buffer.capacity && buffer.capacity <= end && y(buffer.capacity) - y(buffer.peak) > 14) {
      scale.append(html('span', { style: `top:${y(buffer.capacity)}px` }, number(buffer.capacity)));
    }
    panel.append(html('section', { class: 'memory' }, html('h3', {}, bufferTitle(buffer)), html('div', { class: 'chart' }, scale, canvas), tilesTable(buffer, index)));
    const at = (x, y_) => {
      const address = (y_ / height) * end;
      const moment = ((axis.from + (x / canvas.clientWidth) * (axis.to - axis.from)) / WHOLE) * map.moments;
      const hits = buffer.tiles.map((tile, number_) => ({ tile, number_ })).filter(({ tile, number_ }) => tile.address <= address
        && address < tile.address + tile.bytes && map.pieces[index][number_].some(([first, last]) => first <= moment && moment <= last + 1));
      // Of several tiles, one that is live.
      const live = hits.find(({ number_ }) => map.pieces[index][number_].some(([first, last, kind]) => kind === 0 && first <= moment && moment <= last + 1));
      return live || hits[0] || null;
    };
    controls(canvas, {
      pick: (x, y_) => {
        const hit = at(x, y_);
        select({ tile: hit ? `${index}/${hit.number_}` : null, line: null, span: null });
      },
      hover: (x, y_) => (at(x, y_) ? tileText(at(x, y_).tile) : ''),
      key: {},
    });
    axis.draw.push(() => {
      if (!canvas.clientWidth) return;
      const { drawn, width } = context(canvas, height);
      drawBuffer(drawn, width, index);
    });
  });
  view((changed) => {
    if (!changed.includes('tile')) return;
    panel.querySelectorAll('tr[data-tile]').forEach((row) => row.classList.toggle('selected', row.dataset.tile === state.tile));
  });
}
