'use strict';
// The data, the selection that all views share, and what they draw with.

const data = JSON.parse(document.getElementById('data').textContent);

/** What is selected: a line, a tile (buffer and index), an entry of the timeline, a finding; and the text that is searched for. */
const state = { line: null, tile: null, span: null, finding: null, query: '' };
const views = [];

/** Calls `update` after each change of the selection, with the names of what has changed. */
function view(update) {
  views.push(update);
}

/** Changes the selection. */
function select(change) {
  const changed = Object.keys(change).filter((key) => state[key] !== change[key]);
  if (changed.length === 0) return;
  Object.assign(state, change);
  for (const update of views) update(changed);
}

const SVG = 'http://www.w3.org/2000/svg';

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element of HTML. */
function html(name, attributes, ...children) {
  return build(document.createElement(name), attributes, children);
}

/** An element of SVG. */
function svg(name, attributes, ...children) {
  return build(document.createElementNS(SVG, name), attributes, children);
}

/** A colour of the style. */
function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

/** A time in the unit that suits it. */
function time(micros) {
  const size = Math.abs(micros);
  if (size >= 1e4) return (micros / 1e3).toFixed(2) + ' ms';
  if (size >= 100) return micros.toFixed(1) + ' us';
  return size >= 1 || size === 0 ? micros.toFixed(2) + ' us' : (micros * 1e3).toFixed(0) + ' ns';
}

/** A whole number with its thousands apart. */
function number(value) {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A value of a tile. */
function value(number) {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? '+inf' : '-inf';
  return Number.isInteger(number) && Math.abs(number) < 1e7 ? String(number) : number.toPrecision(6);
}

const plural = (count, word, many) => `${number(count)} ${count === 1 ? word : many || word + 's'}`;

/** Says something to readers that hear the page. */
function say(text) {
  document.getElementById('live').textContent = text;
}

const tip = document.getElementById('tip');

/** Shows a text beside the pointer; nothing hides it. */
function showTip(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + 'px';
  tip.style.top = Math.max(4, Math.min(event.clientY + 16, innerHeight - height - 8)) + 'px';
}

/** The mark in front of names of tiles. */
const sigil = data.sigil ?? '%';

/** The file of the source that has a line; a program is one file. */
function fileOf(line) {
  return (data.files || []).filter((file) => file.first <= line).pop();
}

/** The number of a line in its file. */
function numberInFile(line) {
  return line - (fileOf(line)?.first ?? 1) + 1;
}

/** A line in words: as its author wrote it, where a compiler made the program. */
function lineName(line) {
  if (data.origins?.[line]) return `${data.origins[line]} (line ${line})`;
  const file = fileOf(line);
  return file && file.first > 1 ? `${file.name}:${numberInFile(line)}` : `line ${line}`;
}

/** The severities of findings, the gravest first. */
const SEVERITIES = ['error', 'extension', 'lint'];

/** A path in one line. The left part is cut off where there is no room, since the right part tells files apart. */
function pathName(path) {
  return html('span', { class: 'path', title: path }, html('bdi', {}, path));
}

/** A button that leads to a line of the source. */
function lineButton(line, text, kernel) {
  const go = () => {
    if (kernel !== undefined && kernel !== data.kernel) showKernel(kernel);
    select({ line, span: null, tile: null });
  };
  return html('button', { class: 'go', type: 'button', 'data-line': line, onclick: go }, text || lineName(line));
}

/** A canvas that is as sharp as the screen: its context, width and height in pixels of the style. */
function context(canvas, height) {
  const scale = window.devicePixelRatio || 1;
  const width = Math.max(10, canvas.clientWidth);
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.height = height + 'px';
  }
  const drawn = canvas.getContext('2d');
  drawn.setTransform(scale, 0, 0, scale, 0, 0);
  drawn.clearRect(0, 0, width, height);
  return { drawn, width };
}

/** Lines of the source that match the search. */
const matching = new Set();

/** Whether something on a line is to be drawn faintly, since something else is selected or searched for. */
function isFaint(line) {
  if (state.tile) return !tileOf(state.tile).lines.includes(line);
  if (state.query) return !matching.has(line);
  return state.line !== null && state.line !== line && linesWithTime.has(state.line);
}

/** A tile of the memory map, by buffer and index. */
function tileOf(key) {
  const [buffer, tile] = key.split('/').map(Number);
  return data.map.buffers[buffer].tiles[tile];
}

const linesWithTime = new Set((data.lines || []).filter((line) => line.count > 0).map((line) => line.line));
