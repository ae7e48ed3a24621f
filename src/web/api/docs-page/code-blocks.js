// Adds buttons that copy code, and remembers the language of the requests. The page also works without scripts.

const status = document.createElement('p');
status.className = 'kern-sr-only';
status.setAttribute('role', 'status');
document.body.append(status);

/** Of a console, only the commands are copied. */
function readCode(code) {
  const commands = [...code.querySelectorAll('.code-command')];
  return commands.length > 0 ? commands.map((command) => command.textContent).join('\n') : code.textContent;
}

for (const block of document.querySelectorAll('.code-block')) {
  const code = block.querySelector('pre');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'code-block__copy';
  const label = document.createElement('span');
  label.className = 'kern-sr-only';
  label.textContent = ` ${code.getAttribute('aria-label')}`;
  const action = document.createTextNode('Copy');
  button.append(action, label);
  block.firstElementChild.append(button);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(readCode(code));
      action.data = 'Copied';
      status.textContent = 'Copied';
    } catch {
      // Without permission to use the clipboard, the text is selected so that it can be copied by keyboard.
      getSelection().selectAllChildren(code);
    }
  });
  button.addEventListener('blur', () => {
    action.data = 'Copy';
    status.textContent = '';
  });
}

const storageKey = 'rostra-docs-language';
const languages = [...document.querySelectorAll('[name="language"]')];

// A browser can forbid storage. The choice then lasts until the page is closed.
try {
  const chosen = languages.find(({ value }) => value === localStorage.getItem(storageKey));
  if (chosen) chosen.checked = true;
} catch {}

for (const language of languages) {
  language.addEventListener('change', () => {
    try {
      localStorage.setItem(storageKey, language.value);
    } catch {}
  });
}
