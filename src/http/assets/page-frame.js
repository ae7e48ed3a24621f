// Only boxes that scroll are focusable by keyboard.
const boxes = [...document.querySelectorAll('[data-scrolls]')];
function markScrolling() {
  for (const box of boxes) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
}
markScrolling();
window.addEventListener('resize', markScrolling);
