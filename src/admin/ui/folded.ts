import { html, type SafeHtml } from '@remix-run/html-template';

/** Long content that opens on a click, also without scripts. */
export const folded = (summary: string, content: SafeHtml, isOpen = false): SafeHtml =>
  html`<details class="folded"${isOpen ? html` open` : ''}><summary class="kern-body">${summary}</summary>${content}</details>`;
