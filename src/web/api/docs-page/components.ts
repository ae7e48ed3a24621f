/** HTML components of the page at /docs, in the KERN design system. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { highlightCode } from './highlight-code.ts';

export function textLink(address: string, content: SafeHtml | string): SafeHtml {
  return html`<a class="kern-link" href="${address}">${content}</a>`;
}

interface CodeBlock {
  /** Names the block for screen readers. */
  label: string;
  caption: string;
  language: string;
  code: string;
  /** A response can be long, so its block scrolls. */
  isResponse?: boolean;
}

/** Scripts add a button that copies the code. */
export function codeBlock({ label, caption, language, code, isResponse = false }: CodeBlock): SafeHtml {
  return html`<div class="code-block"${isResponse ? html` data-response` : ''}>
<p class="code-block__caption">${caption}</p>
<pre class="code-block__code${isResponse ? ' code-block__code--response' : ''}" role="group" aria-label="${label}"${isResponse ? html` tabindex="0"` : ''}><code>${highlightCode(code, language)}</code></pre>
</div>`;
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

interface FieldEntry {
  name: string;
  type: SafeHtml | string;
  meaning: SafeHtml | string;
}

/** Parameters or fields: in a wide column the meaning is beside the name, in a narrow one below it. */
export function fieldList(fields: readonly FieldEntry[]): SafeHtml {
  const rows = fields.map(
    ({ name, type, meaning }) => html`<div class="fields__row">
<dt><code class="fields__name">${name}</code> <span class="fields__type">${type}</span></dt>
<dd>${meaning}</dd>
</div>`,
  );
  return html`<dl class="fields">${rows}</dl>`;
}

/** Explanation and code: side by side in a wide window. @param result text that follows the code in a narrow window */
export function explainedCode(text: SafeHtml, code: SafeHtml, result: SafeHtml = html``): SafeHtml {
  return html`<div class="explained-code"><div>${text}</div><div class="explained-code__code">${code}</div><div>${result}</div></div>`;
}
