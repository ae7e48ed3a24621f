import { html, type SafeHtml } from '@remix-run/html-template';

export const fieldGroup = (name: string, fields: SafeHtml | SafeHtml[]): SafeHtml =>
  html`<fieldset class="field-group"><legend class="kern-title">${name}</legend>${fields}</fieldset>`;
