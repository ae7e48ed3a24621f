import { html, type SafeHtml } from '../../ui/html.ts';

/** Fields that belong together, as a `fieldset` with a legend. */
export const fieldGroup = (name: string, fields: SafeHtml | SafeHtml[]): SafeHtml =>
  html`<fieldset class="field-group"><legend class="kern-title">${name}</legend>${fields}</fieldset>`;
