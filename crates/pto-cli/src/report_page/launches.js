// The launches of a sequence: a graph from what writes elements of a buffer to what reads them.

const SIZE = { width: 178, height: 46, across: 62, down: 14 };

/** The column of each launch: after every launch that it reads from. */
function columns() {
  const column = data.launches.map(() => 0);
  data.edges.forEach(({ from, to }) => { column[to] = Math.max(column[to], column[from] + 1); });
  return column;
}

/** Shows the source of a kernel, with its time in all launches. */
function showKernel(index) {
  const kernel = data.kernels[index];
  Object.assign(data, { kernel: index, source: kernel.source, origins: kernel.origins, lines: kernel.lines, hottest: kernel.hottest, shown: kernel.file });
  linesWithTime.clear();
  kernel.lines.filter((line) => line.count > 0).forEach((line) => linesWithTime.add(line.line));
  document.getElementById('source').replaceChildren();
  rowOfLine.length = 0;
  drawSource();
  search(document.getElementById('search').value);
}

function clipped(text, most) {
  return text.length > most ? text.slice(0, most - 1) + '\u2026' : text;
}

function drawGraph(panel) {
  const column = columns();
  const used = [];
  const place = data.launches.map((_, index) => {
    used[column[index]] = (used[column[index]] ?? -1) + 1;
    return { x: 12 + column[index] * (SIZE.width + SIZE.across), y: 12 + used[column[index]] * (SIZE.height + SIZE.down) };
  });
  const edges = data.edges.map(({ from, to, buffer }) => {
    const [x1, y1, x2, y2] = [place[from].x + SIZE.width, place[from].y + SIZE.height / 2, place[to].x, place[to].y + SIZE.height / 2];
    const bend = Math.max(30, (x2 - x1) / 2);
    const path = svg('path', { d: `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}` }, svg('title', {}, `%${buffer}`));
    return { path, from, to };
  });
  const nodes = data.launches.map((launch, index) => {
    const pick = () => {
      nodes.forEach((node, at) => node.classList.toggle('selected', at === index));
      edges.forEach(({ path, from, to }) => path.classList.toggle('selected', from === index || to === index));
      const named = (list, key) => [...new Set(list.map((edge) => data.launches[edge[key]].name))].join(', ') || 'no launch';
      about.textContent = `${launch.name}: ${plural(launch.blocks, 'block')}, ${time(launch.microseconds)}. `
        + `Reads from ${named(edges.filter((edge) => edge.to === index), 'from')}; read by ${named(edges.filter((edge) => edge.from === index), 'to')}.`;
      say(about.textContent);
      showKernel(launch.kernel);
    };
    const node = svg('g', { role: 'button', tabindex: '0', 'data-launch': index, 'aria-label': `launch ${launch.name}, ${time(launch.microseconds)}`, onclick: pick },
      svg('title', {}, `${launch.name}\n${data.kernels[launch.kernel].file}`),
      svg('rect', { x: place[index].x, y: place[index].y, width: SIZE.width, height: SIZE.height, rx: 6 }),
      svg('text', { x: place[index].x + 9, y: place[index].y + 19 }, clipped(launch.name, 25)),
      svg('text', { x: place[index].x + 9, y: place[index].y + 36, class: 'small' }, `${time(launch.microseconds)}, ${plural(launch.blocks, 'block')}`));
    node.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      pick();
    });
    return node;
  });
  const width = Math.max(0, ...place.map(({ x }) => x + SIZE.width)) + 12;
  const height = Math.max(0, ...place.map(({ y }) => y + SIZE.height)) + 12;
  const about = html('p', { id: 'about' }, 'Select a launch to see its kernel, what it reads, and what reads it.');
  panel.append(about, html('div', { class: 'graph' }, svg('svg', { width, height, viewBox: `0 0 ${width} ${height}` }, edges.map(({ path }) => path), nodes)),
    html('p', { class: 'faint' }, `${plural(data.all, 'launch', 'launches')}, one after the other: ${time(data.microseconds)}. An arrow leads from what writes elements of a buffer to what reads them.`));
}

/** The kernel that takes most time in all launches. */
function longestKernel() {
  const times = data.kernels.map((kernel) => kernel.lines.reduce((sum, line) => sum + line.busy, 0));
  return Math.max(0, times.indexOf(Math.max(...times)));
}

/** The page of a sequence. */
function drawSequence() {
  drawTabs([
    ['launches', `Launches (${data.all})`, drawGraph],
    ['findings', `Findings (${data.findings.length})`, drawFindings],
  ]);
  showKernel(longestKernel());
}
