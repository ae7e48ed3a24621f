// Pages of imports: refreshes the progress without loading the page again, and checks the size of a file before it is sent.

const section = document.querySelector('[data-run][data-refresh-seconds]');

/** Screen readers announce the progress at most once per tenth of each part. */
let announced = '';

function announceProgress(current) {
  const bar = current.querySelector('progress');
  const tenth = Math.floor((bar?.position ?? -1) * 10);
  const reached = `${bar?.labels[0]?.textContent} ${tenth}`;
  if (tenth < 1 || reached === announced) return;
  announced = reached;
  const percent = current.querySelector('[data-run-percent]');
  section.querySelector('[data-run-announcement]').textContent = percent?.textContent ?? '';
}

async function refreshProgress() {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector('[data-run]');
    // Another step has other content and other buttons.
    if (next?.dataset.run !== section.dataset.run) return location.reload();
    const shown = section.querySelector('[data-run-progress]');
    shown.replaceChildren(...next.querySelector('[data-run-progress]').childNodes);
    announceProgress(shown);
  } catch {
    // The server restarts, or the connection is interrupted. The next request may succeed.
  }
  setTimeout(refreshProgress, section.dataset.refreshSeconds * 1_000);
}

if (section) setTimeout(refreshProgress, section.dataset.refreshSeconds * 1_000);

for (const field of document.querySelectorAll('[data-max-bytes]')) {
  const note = field.form.querySelector('[data-uploading]');
  field.addEventListener('change', () => {
    const isTooLarge = [...field.files].some(({ size }) => size > field.dataset.maxBytes);
    field.setAttribute('aria-invalid', String(isTooLarge));
    note.textContent = isTooLarge ? field.dataset.tooLarge : '';
  });
  field.form.addEventListener('submit', () => {
    if (field.files.length > 0) note.textContent = note.dataset.uploading;
  });
}

/** The fields below a table follow the choices above its columns: the server answers as to its button for a preview. */
let preview = new AbortController();

async function followColumns(form) {
  preview.abort();
  preview = new AbortController();
  const { signal } = preview;
  try {
    // Its buttons are named "action", and hide the property of that name.
    const body = new FormData(form);
    body.set('action', 'update');
    const response = await fetch(form.getAttribute('action'), { method: 'POST', body, signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const next = page.querySelector('[data-follows-columns]');
    if (next === null || signal.aborted) return;
    const present = form.querySelector('[data-follows-columns]');
    const folded = present.querySelectorAll('details');
    for (const [index, details] of next.querySelectorAll('details').entries())
      details.open ||= folded[index]?.open === true;
    // A person who already types there would lose the text.
    if (!present.contains(document.activeElement)) present.replaceWith(next);
    for (const shown of page.querySelectorAll('[data-column-use]')) {
      const use = document.getElementById(shown.dataset.columnUse);
      use.value = page.getElementById(shown.dataset.columnUse).value;
      use.closest('td').querySelector('[data-column-use]').replaceWith(shown);
    }
  } catch {
    // Its button still shows the preview.
  }
}

document.addEventListener('change', ({ target }) => {
  const { form } = target;
  // Another row of headings changes the columns, so the file is read again first.
  const isReadAgain = form?.elements.headings?.value !== form?.elements['headings.shown']?.value;
  if (target.matches('.first-rows select') && !isReadAgain) void followColumns(form);
});
