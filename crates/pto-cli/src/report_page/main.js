// The header, the tabs, the search, light and dark.

const themed = [];

/** Calls `draw` when light and dark change. */
function onTheme(draw) {
  themed.push(draw);
}

function drawHeader() {
  document.title = `${data.file} - pto report`;
  document.getElementById('title').append(pathName(data.file));
  document.getElementById('summary').textContent = data.launches
    ? `${plural(data.all, 'launch', 'launches')} on ${data.device}`
    : `${time(data.microseconds)} on ${data.device}: ${number(data.cycles)} cycles at ${data.clock} GHz, ${plural(data.slots, 'core')} in use`;
  document.getElementById('remarks').append(...data.remarks.map((remark) => html('li', {}, remark)));
}

function drawTabs(tabs) {
  const list = document.getElementById('tabs');
  const panels = document.getElementById('panels');
  const buttons = [];
  const open = (index, focus) => {
    buttons.forEach((button, at) => {
      button.setAttribute('aria-selected', String(at === index));
      button.tabIndex = at === index ? 0 : -1;
      panels.children[at].hidden = at !== index;
    });
    if (focus) buttons[index].focus();
    redraw();
  };
  tabs.forEach(([id, text, draw], index) => {
    const button = html('button', { type: 'button', role: 'tab', id: 'tab-' + id, 'aria-controls': 'panel-' + id, onclick: () => open(index, false) }, text);
    const panel = html('div', { role: 'tabpanel', id: 'panel-' + id, 'aria-labelledby': 'tab-' + id });
    buttons.push(button);
    list.append(button);
    panels.append(panel);
    draw(panel);
  });
  list.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement);
    const last = buttons.length - 1;
    const moves = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last };
    if (at < 0 || !(event.key in moves)) return;
    event.preventDefault();
    open(moves[event.key], true);
  });
  open(0, false);
}

/** Lines whose text or operations contain the query. */
function search(query) {
  const wanted = query.trim().toLowerCase();
  matching.clear();
  if (wanted) {
    data.source.forEach((text, index) => {
      if (text.toLowerCase().includes(wanted)) matching.add(index + 1);
    });
    data.lines.filter((line) => line.operations.some((name) => name.includes(wanted))).forEach((line) => matching.add(line.line));
  }
  const runs = data.lines.filter((line) => matching.has(line.line)).reduce((sum, line) => sum + line.count, 0);
  document.getElementById('found').textContent = wanted ? `${plural(matching.size, 'line')}, ${plural(runs, 'run')}` : '';
  select({ query: wanted, line: null, span: null, tile: null });
}

/** Selects the next line that matches. */
function next(by) {
  const lines = [...matching].sort((a, b) => by * (a - b));
  const after = lines.find((line) => by * (line - (state.line ?? (by > 0 ? 0 : Infinity))) > 0);
  if (lines.length) select({ line: after ?? lines[0], span: null, tile: null });
}

function drawSearch() {
  const input = document.getElementById('search');
  input.addEventListener('input', () => search(input.value));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') next(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') {
      input.value = '';
      search('');
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(document.activeElement.tagName);
    if (event.key === '/' && !typing) {
      event.preventDefault();
      input.focus();
    }
  });
}

function drawTheme() {
  const button = document.getElementById('theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : dark.matches);
  const update = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
    themed.forEach((draw) => draw());
    redraw();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    update();
  });
  dark.addEventListener('change', update);
  update();
}

/** Least width of the source and of the views, in pixels. */
const NARROWEST = 320;

/** The divider between source and views: the pointer and the arrow keys move it. */
function drawDivider() {
  const divider = document.getElementById('divider');
  const source = document.getElementById('source');
  const move = (width) => {
    source.style.width = Math.max(NARROWEST, Math.min(innerWidth - NARROWEST, width)) + 'px';
    divider.setAttribute('aria-valuenow', Math.round((100 * source.clientWidth) / innerWidth));
    redraw();
  };
  divider.addEventListener('pointerdown', (event) => divider.setPointerCapture(event.pointerId));
  divider.addEventListener('pointermove', (event) => {
    if (divider.hasPointerCapture(event.pointerId)) move(event.clientX);
  });
  divider.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -40, ArrowRight: 40 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(source.clientWidth + by);
  });
}

/** The page of one launch. */
function drawLaunch() {
  const found = data.findings.length + data.conflicts.filter((conflict) => conflict.finding === null).length;
  drawSource();
  drawTabs([
    ['time', 'Time and memory', (panel) => { drawTimeline(panel); drawMemory(panel); }],
    ['findings', `Findings (${found})`, drawFindings],
    ['figures', 'Figures', drawFigures],
    ['tiles', 'Tiles', drawTiles],
    ['layouts', `Layouts (${data.layouts.length})`, drawLayouts],
  ]);
}

view(updateSource);
drawHeader();
drawSearch();
drawDivider();
if (data.launches) drawSequence();
else drawLaunch();
drawTheme();
view((changed) => {
  if (['line', 'tile', 'span', 'query'].some((key) => changed.includes(key))) redraw();
});
addEventListener('resize', redraw);
