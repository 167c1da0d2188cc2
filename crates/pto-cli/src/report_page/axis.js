// The time axis that timeline and memory map share: what of the launch is visible.

const axis = { from: 0, to: Math.max(1e-6, data.microseconds), draw: [] };
const WHOLE = axis.to;

/** The shortest visible time, in microseconds. */
const SHORTEST = Math.min(WHOLE, 1e-3);

/** Shows a part of the time. */
function show(from, to) {
  const length = Math.min(WHOLE, Math.max(SHORTEST, to - from));
  const start = Math.max(0, Math.min(WHOLE - length, from));
  axis.from = start;
  axis.to = start + length;
  redraw();
}

/** Shows a shorter or longer part, around a share of the visible one. */
function zoom(factor, share) {
  const length = axis.to - axis.from;
  const middle = axis.from + length * share;
  show(middle - length * factor * share, middle + length * factor * (1 - share));
}

/** Moves the visible part by a share of it. */
function pan(share) {
  const by = (axis.to - axis.from) * share;
  show(axis.from + by, axis.to + by);
}

let pending = false;

/** Draws everything on the axis, once before the next frame; soon, where there are no frames, as in a hidden window. */
function redraw() {
  if (pending) return;
  pending = true;
  const draw = () => {
    if (!pending) return;
    pending = false;
    axis.draw.forEach((one) => one());
  };
  requestAnimationFrame(draw);
  setTimeout(draw, 60);
}

/** The pixel of a time. */
const xOf = (micros, width) => ((micros - axis.from) / (axis.to - axis.from)) * width;

/** Wheel, pointer and keys of a canvas on the axis. `pick` gets the place of a click; `hover` says what is there. */
function controls(canvas, { pick, hover, key }) {
  let drag = null;
  const share = (event) => event.offsetX / Math.max(1, canvas.clientWidth);
  canvas.addEventListener('wheel', (event) => {
    if (event.shiftKey) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan(event.deltaX / 800);
    else zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), share(event));
  }, { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    drag = { x: event.clientX, from: axis.from, to: axis.to, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!drag) return showTip(event, hover(event.offsetX, event.offsetY));
    const by = event.clientX - drag.x;
    if (Math.abs(by) > 3) drag.moved = true;
    const time = (by / Math.max(1, canvas.clientWidth)) * (drag.to - drag.from);
    if (drag.moved) show(drag.from - time, drag.to - time);
  });
  canvas.addEventListener('pointerup', (event) => {
    if (drag && !drag.moved) pick(event.offsetX, event.offsetY);
    drag = null;
  });
  canvas.addEventListener('pointercancel', () => { drag = null; });
  canvas.addEventListener('pointerleave', (event) => showTip(event, ''));
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      '+': () => zoom(0.6, 0.5), '=': () => zoom(0.6, 0.5), '-': () => zoom(1 / 0.6, 0.5), '0': () => show(0, WHOLE),
      ArrowLeft: () => pan(-0.15), ArrowRight: () => pan(0.15), Home: () => show(0, axis.to - axis.from),
      End: () => show(WHOLE - (axis.to - axis.from), WHOLE), ...key,
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
    say(`${time(axis.from)} to ${time(axis.to)}`);
  });
}

/** Times along the axis: a round step of which at most eight fit. */
function ticks() {
  const rough = (axis.to - axis.from) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((by) => by >= rough);
  const all = [];
  for (let at = Math.ceil(axis.from / step) * step; at <= axis.to && all.length < 20; at += step) all.push(at);
  return all;
}

/** Writes the times in a canvas of their own. */
function drawTimes(canvas) {
  const { drawn, width } = context(canvas, 20);
  drawn.font = '11px system-ui, sans-serif';
  drawn.fillStyle = color('faint');
  drawn.strokeStyle = color('line');
  let right = -10;
  for (const at of ticks()) {
    const x = xOf(at, width);
    drawn.beginPath();
    drawn.moveTo(x, 14);
    drawn.lineTo(x, 20);
    drawn.stroke();
    const text = time(at);
    const size = drawn.measureText(text).width;
    const start = Math.max(0, Math.min(width - size, x - size / 2));
    if (start > right + 8) {
      drawn.fillText(text, start, 11);
      right = start + size;
    }
  }
}
