/**
 * A field with suggestions of municipalities while typing: the combobox of the WAI-ARIA Authoring Practices. Without
 * scripts it is a plain text field, so the server accepts a name that was typed.
 */
import { html, type SafeHtml } from '../../ui/html.ts';
import type { PageContext } from '../requests/page-context.ts';
import { csrfField } from './forms.ts';

/** Suggests municipalities as JSON, for operators. */
export const suggestionsPath = '/admin/organizations.json';

/**
 * Adds suggestions to a field. A chosen suggestion becomes the value of the field.
 *
 * @param input a field with one text input, such as `field()` returns
 * @param id of the input
 */
export function organizationCombobox(context: PageContext, input: SafeHtml, id: string): SafeHtml {
  return combobox(context, input, id, html``);
}

function combobox({ text }: PageContext, input: SafeHtml, id: string, attributes: SafeHtml): SafeHtml {
  const { suggestions, noneFound, found } = text.organizationSearch;
  return html`<div class="combobox" data-combobox="${suggestionsPath}" data-none="${noneFound}" data-found="${found}"${attributes}>
${input}
<ul class="combobox__list kern-body" id="${id}-suggestions" role="listbox" aria-label="${suggestions}" hidden></ul>
<span class="hidden-text" role="status"></span>
</div>`;
}

/** The form of the header: opens the municipality, or lists all that match. */
export function organizationSearch(context: PageContext): SafeHtml {
  const { label, submit } = context.text.organizationSearch;
  const id = 'organization-search';
  const input = html`<label class="hidden-text" for="${id}">${label}</label>
<input class="kern-form-input__input combobox__input" id="${id}" name="words" type="search" autocomplete="off" maxlength="200" placeholder="${label}">`;
  return html`<form class="organization-search" method="post" action="/admin/organizations" role="search" aria-label="${label}">
${csrfField(context)}
${combobox(context, input, id, html` data-follow`)}
<button class="kern-btn kern-btn--tertiary" type="submit"><span class="kern-icon kern-icon--search" aria-hidden="true"></span><span class="kern-label kern-sr-only">${submit}</span></button>
</form>`;
}
