// Suggestions while typing. Without scripts, the form is submitted with the typed name.
import Combobox from './combobox-nav.js';

const delayMs = 150;

for (const box of document.querySelectorAll('[data-combobox]')) connect(box);

function connect(box) {
  const input = box.querySelector('input');
  const list = box.querySelector('[role=listbox]');
  const status = box.querySelector('[role=status]');
  const combobox = new Combobox(input, list, { tabInsertsSuggestions: false });
  let timer;
  let request;

  function close() {
    clearTimeout(timer);
    request?.abort();
    if (list.hidden) return;
    list.hidden = true;
    combobox.stop();
  }

  function show(found) {
    list.replaceChildren(...found.map(createOption));
    status.textContent =
      found.length === 0 ? box.dataset.none : box.dataset.found.replace('#', String(found.length));
    if (found.length === 0) {
      close();
    } else if (list.hidden) {
      list.hidden = false;
      combobox.start();
    } else {
      combobox.resetSelection();
    }
  }

  function createOption({ name, path }, index) {
    const option = document.createElement('li');
    option.id = `${list.id}-${index}`;
    option.role = 'option';
    option.dir = 'auto';
    option.textContent = name;
    option.dataset.path = path;
    return option;
  }

  async function suggest() {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const address = `${box.dataset.combobox}?${new URLSearchParams({ words: input.value })}`;
    try {
      const response = await fetch(address, { signal, redirect: 'error' });
      if (response.ok) show(await response.json());
    } catch {
      // The request was replaced, or the session has ended: the form still works.
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    if (input.value.trim() === '') close();
    else timer = setTimeout(suggest, delayMs);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    // The first Escape closes the suggestions only, not the menu around them.
    event.preventDefault();
    close();
  });
  input.addEventListener('blur', close);
  // The field keeps the focus while an option is clicked.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('combobox-commit', ({ target }) => {
    input.value = target.textContent;
    close();
    if ('follow' in box.dataset) location.assign(target.dataset.path);
  });
}
