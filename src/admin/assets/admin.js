// Makes pages better where there are scripts; each works without.

for (const element of document.querySelectorAll('[data-focus]')) element.focus();

for (const element of document.querySelectorAll('[data-select]'))
  element.addEventListener('focus', () => element.select());

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const told = document.getElementById(`${button.dataset.copy}-copied`);
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.value);
      told.textContent = button.dataset.copied;
    } catch {
      // Without leave to use the clipboard the text is selected, for the keyboard to copy.
      source.focus();
      source.select();
    }
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

// Only a box that can be scrolled is a stop for the keyboard.
const boxes = [...document.querySelectorAll('[data-scrolls]')];
function markScrolling() {
  for (const box of boxes) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
}
markScrolling();
window.addEventListener('resize', markScrolling);

// A second click while the first is under way sends nothing. The server would know it for the same form anyway.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'true';
  });
}

// A page that comes back from the browser's memory can be sent again.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
