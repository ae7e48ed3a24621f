// Enhances pages. Every page also works without scripts.

// The frame of a result is for people who use the keyboard. A page that was just opened does not know how its form was sent.
const frame = document.documentElement;
const rememberInput = (kind) => {
  frame.toggleAttribute('data-pointer', kind === 'pointer');
  sessionStorage.setItem('input', kind);
};
frame.toggleAttribute('data-pointer', sessionStorage.getItem('input') === 'pointer');
window.addEventListener('pointerdown', () => rememberInput('pointer'), { capture: true });
window.addEventListener('keydown', () => rememberInput('keyboard'), { capture: true });

for (const element of document.querySelectorAll('[data-focus]')) element.focus();
// Browsers move no focus to the fragment of a page that is loaded again, such as that of an import with its next step.
if (location.hash === '#result') document.getElementById('result').focus();

for (const element of document.querySelectorAll('[data-select]'))
  element.addEventListener('focus', () => element.select());

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const status = document.getElementById(`${button.dataset.copy}-copied`);
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.value);
      status.textContent = button.dataset.copied;
    } catch {
      // Without permission to use the clipboard, the text is selected so that it can be copied by keyboard.
      source.focus();
      source.select();
    }
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

// Ignores a second click. Without scripts, the server recognises the form by its id.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'true';
  });
}

// Forms on a page that is restored from the back/forward cache can be submitted again.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

for (const field of document.querySelectorAll('input[type="file"]')) {
  for (const name of ['dragenter', 'dragover'])
    field.addEventListener(name, () => field.toggleAttribute('data-dragged', true));
  for (const name of ['dragleave', 'drop'])
    field.addEventListener(name, () => field.removeAttribute('data-dragged'));
}
