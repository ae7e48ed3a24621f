// Only boxes that scroll are focusable by keyboard. Their style is more compact, so each box is measured without it.
const boxes = [...document.querySelectorAll('[data-scrolls]')];
function markScrolling() {
  for (const box of boxes) {
    if (box === document.activeElement) continue;
    box.removeAttribute('tabindex');
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    // A result remains a place to which a page moves the focus.
    else if (location.hash === `#${box.id}`) box.tabIndex = -1;
  }
}
markScrolling();
window.addEventListener('resize', markScrolling);
// The content becomes wider when a font has loaded.
document.fonts.addEventListener('loadingdone', markScrolling);
