/** HTML components of the page at /docs, in the KERN design system. */
import { html, type SafeHtml } from '@remix-run/html-template';

export function textLink(address: string, content: SafeHtml | string): SafeHtml {
  return html`<a class="kern-link" href="${address}">${content}</a>`;
}

/** @param isRequest scripts add a button that copies the code */
export function codeBlock(label: string, code: string, isRequest = false): SafeHtml {
  return html`<pre class="code-block" role="group" aria-label="${label}" tabindex="0" data-scrolls${isRequest ? html` data-copy` : ''}><code>${code}</code></pre>`;
}

/** A table that scrolls horizontally, also by keyboard, if the window is too narrow. */
export function dataTable(
  caption: string,
  headings: readonly (SafeHtml | string)[],
  rows: readonly (readonly (SafeHtml | string)[])[],
): SafeHtml {
  const head = headings.map((heading) => html`<th class="kern-table__header" scope="col">${heading}</th>`);
  const body = rows.map(([first = '', ...others]) => {
    const cells = others.map((cell) => html`<td class="kern-table__cell">${cell}</td>`);
    return html`<tr class="kern-table__row"><th class="kern-table__header table-row-header" scope="row">${first}</th>${cells}</tr>`;
  });
  return html`<div class="kern-table-responsive" role="group" aria-label="${caption}" tabindex="0" data-scrolls>
<table class="kern-table kern-table--small">
<caption class="kern-sr-only">${caption}</caption>
<thead class="kern-table__head"><tr class="kern-table__row">${head}</tr></thead>
<tbody class="kern-table__body">${body}</tbody>
</table>
</div>`;
}
