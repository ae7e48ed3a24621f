// Enhances the contents: marks the present section, and searches all pages by words.

const contents = document.getElementById('contents');
const navigation = contents.parentElement;
const isWide = matchMedia('(min-width: 64rem)');

// On a narrow screen the contents would hide the beginning of the page.
contents.open = isWide.matches;

const entries = [...contents.querySelectorAll('a[href^="#"]')].map((link) => ({
  link,
  heading: document.getElementById(link.hash.slice(1)),
}));

/** The last heading that has passed the upper quarter of the window. */
function markPresentSection() {
  const limit = innerHeight / 4;
  const present = entries.findLast(({ heading }) => heading.getBoundingClientRect().top <= limit)?.link;
  const marked = contents.querySelector('a[aria-current="true"]');
  if (present === marked) return;
  marked?.removeAttribute('aria-current');
  if (present === undefined) return;
  present.setAttribute('aria-current', 'true');
  const { top, bottom } = present.getBoundingClientRect();
  const box = navigation.getBoundingClientRect();
  if (isWide.matches && (top < box.top || bottom > box.bottom))
    navigation.scrollTop += top - box.top - box.height / 2;
}

/** Opens the schema to which a link leads. */
function openTarget() {
  const details = document.querySelector(':target')?.closest('details');
  if (details) details.open = true;
}
addEventListener('hashchange', openTarget);
openTarget();

let isWaiting = false;
document.addEventListener('scroll', () => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    markPresentSection();
  });
});
markPresentSection();

const maxResults = 12;
const snippetLength = 100;
const field = document.getElementById('search');
const searchStatus = document.getElementById('search-status');
const results = document.getElementById('search-results');

/** Without case, and without accents. Each character of the text remains one character, so that positions are the same. */
const fold = (text) =>
  [...text].map((character) => character.normalize('NFD').charAt(0).toLowerCase()).join('');

/** Most operations have the same errors, which the guide explains once. */
const unsearched = '.code-block, .try-out, .own-key, .unfolded, .languages, .errors, caption, template';

/** A section begins at a heading with an id, and ends at the next one. */
function readSections(page, address) {
  const main = page.querySelector('main').cloneNode(true);
  for (const part of main.querySelectorAll(unsearched)) part.remove();
  for (const block of main.querySelectorAll('p, li, dt, dd, th, td')) block.append(' ');
  const headings = [...main.querySelectorAll(':is(h1, h2, h3, h4)[id]')];
  const pageTitle = headings[0].textContent;
  return headings.map((heading, index) => {
    const range = page.createRange();
    range.setStartAfter(heading);
    const next = headings[index + 1];
    if (next) range.setEndBefore(next);
    else range.setEndAfter(main.lastChild);
    const title = heading.textContent;
    const text = range.toString().replaceAll(/\s+/g, ' ').trim();
    return {
      address: `${address}#${heading.id}`,
      title: address === '' || title === pageTitle ? title : `${pageTitle}: ${title}`,
      text,
      foldedTitle: fold(title),
      foldedText: fold(text),
    };
  });
}

/** The sections of this page, and those of the others as soon as they are loaded. */
let sections;

async function loadSections() {
  if (sections !== undefined) return;
  sections = readSections(document, '');
  const others = [...document.querySelectorAll('#pages a:not([aria-current])')];
  const pages = await Promise.all(
    others.map(async ({ href }) => {
      const page = new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html');
      return readSections(page, new URL(href).pathname);
    }),
  );
  sections.push(...pages.flat());
  if (field.value !== '') search();
}

function search() {
  const words = fold(field.value)
    .split(/\s+/)
    .filter((word) => word !== '');
  contents.hidden = words.length > 0;
  results.replaceChildren();
  searchStatus.textContent = '';
  if (words.length === 0) return;
  const counted = sections.map((section) => ({
    section,
    inTitle: words.filter((word) => section.foldedTitle.includes(word)).length,
    matched: words.filter((word) => section.foldedTitle.includes(word) || section.foldedText.includes(word))
      .length,
  }));
  // If no section has all words, those with the most of them are shown.
  const most = Math.max(1, ...counted.map(({ matched }) => matched));
  const found = counted.filter(({ matched }) => matched === most).sort((a, b) => b.inTitle - a.inTitle);
  const shown = found.slice(0, maxResults);
  results.append(...shown.map(({ section }) => createResult(section, words)));
  searchStatus.textContent =
    most < words.length || found.length === 0
      ? `No section has all these words.${found.length === 0 ? '' : ' Sections with some of them:'}`
      : found.length > maxResults
        ? `The first ${maxResults} of ${found.length} sections.`
        : `${found.length} ${found.length === 1 ? 'section' : 'sections'}.`;
}

function createResult({ address, title, text, foldedText }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.className = 'kern-link';
  link.href = address;
  link.textContent = title;
  item.append(link);
  const word = words.find((each) => foldedText.includes(each));
  if (word === undefined) return item;
  const position = foldedText.indexOf(word);
  const start = Math.max(0, text.lastIndexOf(' ', position - snippetLength / 2));
  const end = position + word.length;
  const mark = document.createElement('mark');
  mark.textContent = text.slice(position, end);
  const snippet = document.createElement('p');
  snippet.className = 'search__snippet';
  snippet.append(
    `${start > 0 ? '…' : ''}${text.slice(start, position)}`,
    mark,
    `${text.slice(end, end + snippetLength / 2)}…`,
  );
  item.append(snippet);
  return item;
}

field.addEventListener('focus', loadSections);
field.addEventListener('input', search);
field.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    field.value = '';
    search();
  }
  if (event.key === 'Enter') results.querySelector('a')?.click();
});
