import { html, type SafeHtml } from '@remix-run/html-template';

/** Long content that opens on a click, also without scripts. */
export const folded = (summary: string, content: SafeHtml): SafeHtml =>
  html`<details class="folded"><summary class="kern-body">${summary}</summary>${content}</details>`;
