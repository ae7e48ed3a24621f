/** HTML components of the KERN design system. */

import { recommendedValues } from '../../contract/field-schemas.ts';
import { each, html, type SafeHtml } from './html.ts';
import type { ViewContext } from './view-context.ts';

type Tone = 'info' | 'success' | 'warning' | 'danger';

const emptyHtml = html``;

export function paragraph(...content: (SafeHtml | string)[]): SafeHtml {
  return html`<p class="kern-body">${content}</p>`;
}

export const section = (title: SafeHtml | string, content: SafeHtml | SafeHtml[]): SafeHtml =>
  html`<section><h2 class="kern-heading-medium">${title}</h2>${content}</section>`;

export function alert(tone: Tone, title: string, body: SafeHtml = emptyHtml): SafeHtml {
  const role = tone === 'danger' || tone === 'warning' ? 'alert' : 'status';
  const text = String(body) === '' ? emptyHtml : html`<div class="kern-alert__body">${body}</div>`;
  return html`<div class="kern-alert kern-alert--${tone}" role="${role}"><div class="kern-alert__header"><span class="kern-icon kern-icon--${tone}" aria-hidden="true"></span><span class="kern-title">${title}</span></div>${text}</div>`;
}

/** The redirect after a form leads to this part of the page, so that browsers move the focus, also without scripts. */
export const resultFragment = '#result';

/** Pages have one at most. The heading of a page without one is its result (`layout.ts`). */
export const resultId = html` id="result"`;

/** Attributes of the result of a form, such as the matches of a search. */
export const resultAttributes = html`${resultId} tabindex="-1"`;

/** Attributes of a result that gets the focus however the page was opened. */
export const focusedAttributes = html`${resultAttributes} data-focus`;

/** A message that has the focus when the page has loaded, so that screen readers read it. */
export const announce = (message: SafeHtml): SafeHtml =>
  html`<div class="announcement"${focusedAttributes}>${message}</div>`;

/** Reports a completed action: one line, because it has nothing to head. */
export const announcement = (sentence: string): SafeHtml =>
  announce(
    html`<p class="confirmation kern-body" role="status"><span class="kern-icon kern-icon--success" aria-hidden="true"></span><span>${sentence}${/[.!?]$/.test(sentence) ? '' : '.'}</span></p>`,
  );

/** How much a search found. */
export const searchResult = (content: SafeHtml | string): SafeHtml =>
  html`<p class="kern-body" role="status"${resultAttributes}>${content}</p>`;

export function badge(tone: Tone, text: SafeHtml | string): SafeHtml {
  return html`<span class="kern-badge kern-badge--${tone} kern-badge--small"><span class="kern-label kern-label--small">${text}</span></span>`;
}

export function link(address: string, text: SafeHtml | string): SafeHtml {
  return html`<a class="kern-link" href="${address}">${text}</a>`;
}

/** A link that is styled as a button. @param opensTab the text says so */
export function actionLink(
  address: string,
  text: string,
  kind: 'primary' | 'secondary' | 'tertiary' | 'tertiary destructive' = 'secondary',
  opensTab = false,
): SafeHtml {
  return html`<a class="kern-btn kern-btn--${kind}" href="${address}"${opensTab ? html` target="_blank" rel="noopener"` : ''}><span class="kern-label">${text}</span></a>`;
}

/** @param kind `destructive`: primary, and what it does cannot be reversed @param form id of its form, if it is outside of it */
export function button(
  text: string,
  kind: 'primary' | 'secondary' | 'tertiary' | 'destructive' = 'primary',
  form?: string,
): SafeHtml {
  const style = kind === 'destructive' ? 'primary destructive' : kind;
  return html`<button class="kern-btn kern-btn--${style}" type="submit"${form === undefined ? '' : html` form="${form}"`}><span class="kern-label">${text}</span></button>`;
}

/** A submit button of a form with several actions. */
export const actionButton = (
  value: string,
  label: string,
  kind: 'primary' | 'secondary' | 'tertiary',
): SafeHtml =>
  html`<button class="kern-btn kern-btn--${kind}" type="submit" name="action" value="${value}"><span class="kern-label">${label}</span></button>`;

export interface LabelOptions {
  name: string;
  label: string;
  hint?: string | undefined;
  /** Error message for the entered value. */
  error?: string | undefined;
  /** Text beside the label of an optional field. */
  optional?: string | undefined;
}

/** A control between its label and hint, and the error message. @param render receives the attributes that refer to them */
export function labelledControl(
  { name, label, hint, error, optional }: LabelOptions,
  render: (attributes: SafeHtml) => SafeHtml,
): SafeHtml {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const attributes = html`${described ? html` aria-describedby="${described}"` : ''}${error ? html` aria-invalid="true"` : ''}`;
  return html`<div class="kern-form-input${error ? ' kern-form-input--error' : ''}">
<label class="kern-label" for="${name}">${label}${optional ? html` <span class="kern-label__optional">– ${optional}</span>` : ''}</label>
${hint ? html`<div class="kern-hint" id="${name}-hint">${hint}</div>` : ''}
${render(attributes)}
${error ? fieldError(name, error) : ''}
</div>`;
}

interface FieldOptions extends LabelOptions {
  type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'search';
  value?: string;
  /** Default: unless it is optional, or a field of a search. */
  isRequired?: boolean;
  autocomplete?: string;
  attributes?: SafeHtml;
}

export function field({ type = 'text', value = '', autocomplete, ...options }: FieldOptions): SafeHtml {
  const { name, error, optional, isRequired = !optional && type !== 'search' } = options;
  return labelledControl(
    options,
    (attributes) =>
      html`<input class="kern-form-input__input${error ? ' kern-form-input__input--error' : ''}" id="${name}" name="${name}" type="${type}" value="${value}"${autocomplete ? html` autocomplete="${autocomplete}"` : ''}${isRequired ? html` required` : ''}${attributes}${options.attributes}>`,
  );
}

/** The message below a field. */
export function fieldError(name: string, error: string): SafeHtml {
  return html`<p class="kern-error" id="${name}-error"><span class="kern-icon kern-icon--danger" aria-hidden="true"></span><span class="kern-body">${error}</span></p>`;
}

export interface Choice {
  value: string;
  text: string;
  /** Of the option, such as its language. */
  attributes?: SafeHtml | undefined;
}

export function select(
  name: string,
  label: string,
  choices: readonly Choice[],
  chosen: string,
  error?: string | undefined,
  hint?: string,
  isRequired = false,
): SafeHtml {
  const options = each(
    choices,
    ({ value, text, attributes }) =>
      html`<option value="${value}"${attributes}${value === chosen ? html` selected` : ''}>${text}</option>`,
  );
  return labelledControl(
    { name, label, error, hint },
    (attributes) =>
      html`<div class="kern-form-input__select-wrapper"><select class="kern-form-input__select" id="${name}" name="${name}"${isRequired ? html` required` : ''}${attributes}>${options}</select></div>`,
  );
}

/** Links to the fields with errors: a form begins with it. */
export function errorSummary({ text }: ViewContext, errors: Readonly<Record<string, string>>): SafeHtml {
  const entries = Object.entries(errors);
  if (entries.length === 0) return emptyHtml;
  const items = entries.map(
    ([name, error]) => html`<li><a class="kern-link" href="#${name}">${error}</a></li>`,
  );
  return html`<div class="error-summary"${focusedAttributes}>${alert('danger', text.form.problems, html`<ul class="kern-list">${items}</ul>`)}</div>`;
}

export interface Column {
  heading: SafeHtml | string;
  numeric?: boolean;
  /** `aria-sort` of the heading. */
  sort?: 'ascending' | 'descending' | undefined;
  /** Text of a heading that is a link. */
  label?: string;
}

export const numeric = (heading: SafeHtml | string): Column => ({ heading, numeric: true });

/**
 * A table that scrolls horizontally, also by keyboard, if the window is too narrow.
 *
 * @param options `narrow`: as wide as its figures; `cards`: on narrow screens each row is a card, with this text before the
 *   headings that sort; `hint`: is shown after the caption, which is hidden otherwise;
 *   `isResult`: the table is the result of a search
 */
export function table(
  caption: string,
  headings: readonly (Column | string)[],
  rows: Iterable<readonly (SafeHtml | string)[]>,
  {
    narrow = false,
    cards,
    hint,
    isResult = false,
  }: { narrow?: boolean; cards?: string; hint?: string; isResult?: boolean } = {},
): SafeHtml {
  // Browsers drop the roles of a table that is not displayed as a table.
  const role = (name: string) => (cards === undefined ? '' : html` role="${name}"`);
  const columns = headings.map((heading): Column => (typeof heading === 'string' ? { heading } : heading));
  const head = columns.map(
    ({ heading, numeric, sort }) =>
      html`<th class="kern-table__header${numeric ? ' kern-table__header--numeric' : ''}" scope="col"${role('columnheader')}${sort ? html` aria-sort="${sort}"` : ''}>${heading}</th>`,
  );
  const body = each(rows, (cells) => {
    const rendered = cells.map((cell, index) => {
      const numeric = columns[index]?.numeric ? ' kern-table__cell--numeric' : '';
      return index === 0
        ? html`<th class="kern-table__header table-row-header${numeric}" scope="row"${role('rowheader')}>${cell}</th>`
        : cards === undefined
          ? html`<td class="kern-table__cell${numeric}">${cell}</td>`
          : html`<td class="kern-table__cell${numeric}"${role('cell')} data-label="${columnLabel(columns[index])}"><div>${cell}</div></td>`;
    });
    return html`<tr class="kern-table__row"${role('row')}>${rendered}</tr>`;
  });
  return html`<div class="kern-table-responsive${narrow ? ' figures' : ''}${cards === undefined ? '' : ' table-cards'}" role="region" aria-label="${caption}"${isResult ? resultId : ''} tabindex="0" data-scrolls>
<table class="kern-table kern-table--small"${role('table')}>
${hint ? html`<caption class="kern-label">${caption} <span class="kern-hint">${hint}</span></caption>` : html`<caption class="kern-sr-only">${caption}</caption>`}
<thead class="kern-table__head"${role('rowgroup')}><tr class="kern-table__row"${role('row')}${cards && html` data-label="${cards}"`}>${head}</tr></thead>
<tbody class="kern-table__body"${role('rowgroup')}>${body}</tbody>
</table>
</div>`;
}

const columnLabel = ({ heading = '', label }: Partial<Column> = {}): string =>
  label ?? (typeof heading === 'string' ? heading : '');

/** @param entries false: left out */
export function descriptionList(
  entries: readonly (readonly [string, SafeHtml | string] | false)[],
): SafeHtml {
  const items = entries
    .filter((entry) => entry !== false)
    .map(
      ([key, value]) =>
        html`<div class="kern-description-list-item"><dt class="kern-description-list-item__key">${key}</dt><dd class="kern-description-list-item__value">${value}</dd></div>`,
    );
  return html`<dl class="kern-description-list">${items}</dl>`;
}

/** An address, or another name, whose lines end after the sign. */
export const emailText = (address: string): SafeHtml => {
  const [name, domain] = address.split('@');
  return domain === undefined ? userText(address) : html`<bdi>${name}@<wbr>${domain}</bdi>`;
};

/** Isolates text from users, which may be right-to-left, from the direction of the surrounding text. */
export const userText = (name: SafeHtml | string): SafeHtml => html`<bdi>${name}</bdi>`;

/** Text of any length in a table cell. */
export const longText = (text: SafeHtml | string): SafeHtml =>
  html`<span class="long-text">${userText(text)}</span>`;

/** Text that is usually short, in a table cell. */
export const shortText = (text: SafeHtml | string): SafeHtml =>
  html`<span class="short-text">${userText(text)}</span>`;

/** Attribute of published texts, if their language is known and not that of the page (WCAG 2.1, 3.1.2). */
export const dataLanguageAttribute = ({ language, dataLanguage }: ViewContext): SafeHtml =>
  dataLanguage === undefined || dataLanguage === language ? emptyHtml : html` lang="${dataLanguage}"`;

/** Text from a source. */
export const publishedText = (text: SafeHtml | string, context: ViewContext): SafeHtml =>
  html`<bdi${dataLanguageAttribute(context)}>${text}</bdi>`;

/** A value of the API, such as a status, in the language of the page if the contract recommends the value. */
export const describeApiValue = (word: string, { text }: Pick<ViewContext, 'text'>): string =>
  (Object.hasOwn(text.apiValues, word) ? text.apiValues[word] : undefined) ?? word;

const wordsOfContract: ReadonlySet<string> = new Set(Object.values(recommendedValues).flat());

/** Whether the contract recommends the value. Other words are texts from sources. */
export const isRecommended = (word: string): boolean => wordsOfContract.has(word);

/** Values that the contract recommends come first, in its order. */
export function sortApiValues(
  values: readonly string[],
  recommended: readonly string[],
  { text, format }: Pick<ViewContext, 'text' | 'format'>,
): string[] {
  const rank = (value: string) => (recommended.includes(value) ? recommended.indexOf(value) : Infinity);
  const name = (value: string) => describeApiValue(value, { text });
  return values.toSorted((one, other) => rank(one) - rank(other) || format.compare(name(one), name(other)));
}

/** A published value as an element. */
export const apiValueText = (word: string, context: ViewContext): SafeHtml =>
  isRecommended(word) ? userText(describeApiValue(word, context)) : publishedText(word, context);

/** Text to copy: a click selects all of it, and a button copies it if scripts are enabled. */
export function copyField(
  label: string,
  id: string,
  value: string,
  copy: string,
  copied: string,
  kind: 'primary' | 'secondary' = 'secondary',
): SafeHtml {
  return html`<div class="copyable">
<label class="kern-label" for="${id}">${label}</label>
<textarea class="kern-form-input__input copyable__text" id="${id}" readonly rows="${value.length > 80 ? 3 : 1}" spellcheck="false" autocomplete="off" data-select>${value}</textarea>
<button class="kern-btn kern-btn--${kind}" type="button" hidden data-copy="${id}" data-copied="${copied}"><span class="kern-label">${copy}</span></button>
<p class="kern-body kern-body--small" role="status" id="${id}-copied"></p>
</div>`;
}
