// Enhances pages. Every page also works without scripts.

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
