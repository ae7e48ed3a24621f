// Only boxes that scroll are focusable by keyboard. Their style is more compact, so each box is measured without it.
const boxes = [...document.querySelectorAll('[data-scrolls]')];
// Other boxes have no name of their own: screen readers would repeat that of their content.
const names = boxes.map((box) => ['role', 'aria-label'].map((name) => [name, box.getAttribute(name)]));
function markScrolling() {
  for (const [index, box] of boxes.entries()) {
    if (box === document.activeElement) continue;
    box.removeAttribute('tabindex');
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    // A result remains a place to which a page moves the focus.
    else if (location.hash === `#${box.id}`) box.tabIndex = -1;
    for (const [name, value] of names[index])
      if (box.hasAttribute('tabindex')) box.setAttribute(name, value);
      else box.removeAttribute(name);
  }
}
markScrolling();
window.addEventListener('resize', markScrolling);
// The content becomes wider when a font has loaded.
document.fonts.addEventListener('loadingdone', markScrolling);
