import { html, type SafeHtml } from './html.ts';

/** Long content that opens on a click, also without scripts. Content with an error is open. */
export const folded = (summary: SafeHtml | string, content: SafeHtml, isOpen = false): SafeHtml =>
  html`<details class="folded"${isOpen ? html` open` : ''}><summary class="kern-body">${summary}</summary>${content}</details>`;

/** A section whose heading is always in view. */
export const foldedSection = (title: string, content: SafeHtml): SafeHtml =>
  html`<section class="folded-section"><details class="folded"><summary><h2 class="kern-heading-small">${title}</h2></summary>${content}</details></section>`;

/** The summary of folded settings: their name, and what they are set to. */
export const settingSummary = (name: string, value: SafeHtml | string): SafeHtml =>
  html`<span class="setting-name">${name}<span class="hidden-text">:</span></span> <span class="setting-value">${value}</span>`;
