// Shows the forms that send requests.

for (const element of document.querySelectorAll('[data-needs-script]')) element.hidden = false;

// One key for all forms. It is never stored.
const keyFields = [...document.querySelectorAll('[data-key]')];
for (const field of keyFields)
  field.addEventListener('input', () => {
    for (const other of keyFields) other.value = field.value;
  });

for (const form of document.querySelectorAll('form[data-path]')) {
  const panel = form.parentElement;
  const status = panel.querySelector('[role="status"]');
  const output = panel.querySelector('pre');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const lines = [...new FormData(form)].flatMap(([name, value]) =>
      value.split('\n').map((line) => [name, line.replace(/\r$/, '')]),
    );
    const values = new URLSearchParams(lines.filter(([, value]) => value !== ''));
    const path = form.dataset.path.replace('{id}', () => encodeURIComponent(values.get('id') ?? ''));
    values.delete('id');
    const query = values.size > 0 ? `?${values}` : '';
    const key = form.querySelector('[data-key]')?.value.trim() ?? '';
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
