// Puts the reader's key, the values of the forms and identifiers of the reader's data into the samples, and sends requests.

for (const element of document.querySelectorAll('[data-needs-script]')) element.hidden = false;

const apiPath = '/api/v1';
const keyFields = [...document.querySelectorAll('[data-key]')];
const keyStatus = document.getElementById('own-key-status');
const baseUrl = document.querySelector('[data-base-url]')?.dataset.baseUrl;

/** RFC 6750: text that a quotation in every language can contain. A key that has other characters is invalid. */
const keyPattern = /^[\w.~+/=-]+$/;

/** One key for all forms. It is never stored. */
let key = '';

const send = (request) =>
  fetch(apiPath + request, { headers: key === '' ? {} : { Authorization: `Bearer ${key}` } });

/** Also of characters that end or change a quotation in some language. */
const encode = (text) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @returns path and query; a missing identifier is its placeholder */
function composeRequest(form) {
  const query = [];
  let path = form.dataset.path;
  for (const { name, value, dataset } of form.querySelectorAll('[name]')) {
    if (path.includes(`{${name}}`))
      path = path.replace(`{${name}}`, () => encode(value.trim()) || dataset.placeholder);
    else
      for (const line of value.split(/\r?\n/))
        if (line !== '') query.push(`${name}=${encode(line).replaceAll('%20', '+')}`);
  }
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

function* walkTexts(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}

function showSamples(form) {
  const url = baseUrl + composeRequest(form);
  const variant =
    form.querySelector('[data-key]') === null ? 'none' : keyPattern.test(key) ? 'literal' : 'environment';
  for (const sample of form.closest('.operation').querySelectorAll('.sample')) {
    const { language } = sample.dataset;
    const template = document.querySelector(
      `template[data-language="${language}"][data-variant="${variant}"]`,
    );
    const content = template.content.cloneNode(true);
    for (const text of walkTexts(content))
      text.data = text.data.replace('{url}', () => url).replace('{key}', () => key);
    sample.querySelector('code').replaceChildren(content);
  }
}

const forms = [...document.querySelectorAll('form[data-path]')];

for (const form of forms) {
  form.addEventListener('input', () => updateForm(form));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const operation = form.closest('.operation');
    const status = form.parentElement.querySelector('[role="status"]');
    const block = operation.querySelector('[data-response]');
    status.textContent = 'Waiting for the response …';
    try {
      const response = await send(composeRequest(form));
      const body = await response.json();
      const remaining = response.headers.get('X-RateLimit-Remaining');
      status.textContent = `Status ${response.status}. Remaining requests: ${remaining}.`;
      block.querySelector('.code-block__caption').firstChild.data =
        `Your response: status ${response.status}`;
      block.querySelector('code').textContent = JSON.stringify(body, null, 2);
      block.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      status.textContent = `The request failed: ${error.message}.`;
    }
  });
}

/** The line of the guide that sets the variable. */
const keyWord = 'sk_rostra_…';
const keyTexts = [...document.querySelectorAll('main .code-block code')].flatMap((code) =>
  [...walkTexts(code)]
    .filter(({ data }) => data.includes(keyWord))
    .map((text) => ({ text, before: text.data })),
);

function setKey(value) {
  key = value.trim();
  for (const field of keyFields) if (field.value !== value) field.value = value;
  for (const form of forms) showSamples(form);
  const shown = keyPattern.test(key) ? key : keyWord;
  for (const { text, before } of keyTexts) text.data = before.replace(keyWord, () => shown);
}

async function readData(request) {
  const response = await send(request);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body.data;
}

/** A field that the reader has changed stays as it is. */
const isUntouched = (field) => field.value === (field.dataset.filled ?? field.defaultValue);

function fillForms(records) {
  for (const field of document.querySelectorAll('[data-own]')) {
    const [kind, name] = field.dataset.own.split('.');
    const value = records[kind]?.[name] ?? '';
    if (!isUntouched(field)) continue;
    field.value = value || field.defaultValue;
    field.dataset.filled = field.value;
  }
  for (const form of forms) updateForm(form);
}

/** Together with a filter of the reader, those that this script has filled would rarely find anything. */
function updateForm(form) {
  const filters = [...form.querySelectorAll('[name]:not([required])')];
  if (!filters.every(isUntouched))
    for (const field of filters.filter((filter) => filter.dataset.filled && isUntouched(filter))) {
      field.value = '';
      field.dataset.filled = '';
    }
  showSamples(form);
}

let asked = '';

/** Asks for one record of each kind, whose identifiers and values the samples get. */
async function readOwnData() {
  if (key === asked) return;
  asked = key;
  if (key === '') {
    keyStatus.textContent = '';
    return;
  }
  if (!keyPattern.test(key)) {
    keyStatus.textContent = 'This is not an API key: it has spaces or other characters that no key has.';
    return;
  }
  const present = key;
  try {
    const { name } = await readData('/organization');
    const [[submission], [session], [survey]] = await Promise.all(
      ['/search/submissions?limit=1', '/search/sessions?limit=1', '/surveys?limit=1'].map(readData),
    );
    if (key !== present) return;
    fillForms({
      submission: submission && {
        ...submission,
        topic: submission.topicCategoryName,
        month: `${submission.createdOn.slice(0, 8)}01`,
      },
      session: session && { ...session, committee: session.committeeName },
      survey,
    });
    const missing = Object.entries({ submissions: submission, sessions: session, surveys: survey })
      .filter(([, record]) => record === undefined)
      .map(([records]) => records);
    keyStatus.textContent = `The samples have your key, and identifiers and values of ${name}.${
      missing.length > 0 ? ` It publishes no ${missing.join(' and no ')}.` : ''
    }`;
  } catch (error) {
    if (key !== present) return;
    asked = '';
    keyStatus.textContent = error.message;
  }
}

for (const field of keyFields) {
  field.addEventListener('input', ({ inputType }) => {
    setKey(field.value);
    if (inputType === 'insertFromPaste') void readOwnData();
  });
  field.addEventListener('change', readOwnData);
}
