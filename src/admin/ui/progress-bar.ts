import { html, type SafeHtml } from '@remix-run/html-template';

/** @param share from 0 to 1; undefined: unknown, so the bar has no value */
export function progressBar(id: string, label: string, share: number | undefined): SafeHtml {
  const value = share === undefined ? '' : html` value="${Math.floor(share * 100)}"`;
  return html`<div class="kern-progress"><label class="kern-label" for="${id}">${label}</label><progress id="${id}" max="100"${value}></progress></div>`;
}
