/** A first request in several languages. Each opens in place and closes the others, without scripts. */

import { basePath, operations } from '../../../contract/operations.ts';
import { composeCodeSamples } from '../../../platform/http/code-samples.ts';
import { copyField } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { PageContext } from '../requests/page-context.ts';

/** @param key or a placeholder */
export function codeSamples({ text, publicUrl }: PageContext, key: string): SafeHtml {
  const url = `${publicUrl}${basePath}${operations.listSubmissions.path}?limit=3`;
  const samples = composeCodeSamples(url, { literal: key }).map(
    (
      { language, name, code },
      index,
    ) => html`<details class="sample" name="samples"${index === 0 ? html` open` : ''}>
<summary class="kern-label">${name}</summary>
${copyField(text.newKey.requestIn(name), `request-${language}`, code, text.newKey.copyRequest, text.form.copied)}
</details>`,
  );
  return html`<div class="samples">${samples}</div>`;
}
