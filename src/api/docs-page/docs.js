// Enhances the page: buttons that copy requests, and forms that send them. The page also works without scripts.

// On a narrow screen the contents would hide the beginning of the page.
const contents = document.querySelector('.docs__contents details');
if (!matchMedia('(min-width: 64rem)').matches) contents.open = false;

function addButton(text, after) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'kern-btn kern-btn--tertiary';
  button.innerHTML = '<span class="kern-label"></span>';
  button.firstChild.textContent = text;
  after.after(button);
  return button;
}

for (const block of document.querySelectorAll('[data-copy]')) {
  const button = addButton('Copy', block);
  const label = button.firstChild;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.textContent);
      label.textContent = 'Copied';
    } catch {
      // Without permission to use the clipboard, the text is selected so that it can be copied by keyboard.
      getSelection().selectAllChildren(block);
    }
  });
}

// One key for all forms. It is never stored.
const keyField = document.getElementById('api-key');
for (const element of document.querySelectorAll('[data-needs-script]')) element.hidden = false;

for (const form of document.querySelectorAll('form[data-path]')) {
  const panel = form.parentElement;
  const status = panel.querySelector('[role="status"]');
  const output = panel.querySelector('pre');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const values = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
    const path = form.dataset.path.replace('{id}', () => encodeURIComponent(values.get('id') ?? ''));
    values.delete('id');
    const query = values.size > 0 ? `?${values}` : '';
    const key = keyField.value.trim();
    status.textContent = 'Waiting for the response …';
    output.hidden = true;
    try {
      const response = await fetch(`/api/v1${path}${query}`, {
        headers: key === '' ? {} : { Authorization: `Bearer ${key}` },
      });
      const body = await response.json();
      const remaining = response.headers.get('X-RateLimit-Remaining');
      status.textContent = `Status ${response.status}. Remaining requests: ${remaining}.`;
      output.textContent = JSON.stringify(body, null, 2);
      output.hidden = false;
    } catch (error) {
      status.textContent = `The request failed: ${error.message}.`;
    }
  });
}
