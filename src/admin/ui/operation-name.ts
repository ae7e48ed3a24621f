import { html, type SafeHtml } from '@remix-run/html-template';
import { unknownOperation } from '../../domain/key-usage.ts';
import type { PageContext } from '../page-context.ts';

/** The name of an operation for people, and the one in the documentation of the API. */
export function operationName(operation: string, { text }: PageContext): SafeHtml {
  const name = Object.hasOwn(text.usage.operations, operation) ? text.usage.operations[operation] : undefined;
  if (name === undefined) return html`<code>${operation}</code>`;
  return operation === unknownOperation ? html`${name}` : html`${name} (<code>${operation}</code>)`;
}
