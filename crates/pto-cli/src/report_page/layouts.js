// Layouts of the tile types of the program, as `pto layout` draws them.

function drawLayouts(panel) {
  panel.append(...data.layouts.map(({ ty, svg: picture }) => {
    // The pictures have their own rule for dark pages, which the page replaces by its own.
    const read = new DOMParser().parseFromString(picture, 'image/svg+xml').documentElement;
    read.querySelectorAll('style').forEach((style) => style.remove());
    return html('section', { class: 'layout' }, html('p', {}, html('code', {}, ty)), document.importNode(read, true));
  }));
}
