/** Runs an operation of the API for the municipality, and shows its response. */

import { operations } from '../../../../contract/operations.ts';
import type { OperationResult, RunnableOperationId } from '../../../../domain/installation/run-operation.ts';
import { STATUS_CODES } from '../../../../platform/http/node-http.ts';
import {
  actionLink,
  button,
  focusedAttributes,
  paragraph,
  section,
  select,
  table,
} from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { csrfField } from '../../forms/forms.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import type { Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import {
  dataTabs,
  jsonBlock,
  redirectToFilters,
  requestField,
  requestPath,
  type ShownRequest,
} from '../../ui/data-browser.ts';

/** Distinguishes parameters of the operation from those of the page. */
const prefix = 'parameter.';

interface Parameter {
  name: string;
  description: string;
  isRequired: boolean;
  isNumber: boolean;
  /** Several values, each on a line. */
  isList: boolean;
}

export function tryOperationRoutes({ runOperation }: AdminContext): Route[] {
  async function tryPage(context: TenantContext): Promise<Page> {
    const { text, query, organization } = context;
    const operationId = parseOperation(query.get('operation'));
    const request = composeRequest(context, operationId);
    const result = query.has('run') ? await runOperation(operationId, organization.id, request) : undefined;
    const forms = html`${operationForm(context, operationId)}${parameterForm(context, operationId)}`;
    const body = html`${dataTabs(context)}${paragraph(text.tryIt.intro)}
${result === undefined ? forms : html`<div class="trial"><div>${forms}</div><div${focusedAttributes}>${response(context, request, result)}</div></div>`}`;
    return { title: text.tryIt.title, body };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/data/try',
      access: 'see',
      get: tryPage,
      post: redirectToFilters,
    },
  ];
}

function parseOperation(name: string | null): RunnableOperationId {
  const operationIds = listOperations();
  return operationIds.find((id) => id === name) ?? operationIds[0];
}

/** In the order of the contract. */
function listOperations(): [RunnableOperationId, ...RunnableOperationId[]] {
  const ids = Object.keys(operations).filter((id) => id !== 'getHealth' && id !== 'getMe');
  return ids as [RunnableOperationId, ...RunnableOperationId[]];
}

function listParameters(operationId: RunnableOperationId): Parameter[] {
  const operation = operations[operationId];
  const idParameter = 'pathId' in operation ? operation.pathId : undefined;
  const path = idParameter === undefined ? [] : [toParameter('id', idParameter, true)];
  const query = Object.entries<object>(operation.query ?? {}).map(([name, schema]) =>
    toParameter(name, schema, false),
  );
  return [...path, ...query];
}

function toParameter(name: string, schema: object, isRequired: boolean): Parameter {
  const { description, type } = schema as { description: string; type: string };
  return { name, description, isRequired, isNumber: type === 'integer', isList: type === 'array' };
}

/** The request with the entered values. Empty fields are left out. */
function composeRequest({ query }: TenantContext, operationId: RunnableOperationId): ShownRequest {
  const values = listParameters(operationId)
    .filter(({ isRequired }) => !isRequired)
    .flatMap(({ name, isList }) => {
      const value = query.get(prefix + name) ?? '';
      return (isList ? value.split('\n') : [value]).map((one): [string, string] => [name, one.trim()]);
    })
    .filter(([, value]) => value !== '');
  return {
    operationId,
    id: (query.get(`${prefix}id`) ?? '').trim(),
    queryString: new URLSearchParams(values).toString(),
  };
}

function operationForm(context: TenantContext, chosen: RunnableOperationId): SafeHtml {
  const { text, path } = context;
  const choices = listOperations().map((id) => ({
    value: id,
    text: `${text.tryIt.operations[id]} – ${operations[id].path}`,
  }));
  return html`<form method="post" action="${path}" class="page-form">
${csrfField(context)}
${select('operation', text.tryIt.operation, choices, chosen)}
${button(text.tryIt.choose, 'secondary')}
</form>`;
}

function parameterForm(context: TenantContext, operationId: RunnableOperationId): SafeHtml {
  const { text, path } = context;
  const parameters = listParameters(operationId);
  const fields = parameters.map((parameter) => parameterField(context, parameter));
  return section(
    html`${text.tryIt.operations[operationId]}`,
    html`<form method="post" action="${path}" class="page-form">
${csrfField(context)}
<input type="hidden" name="operation" value="${operationId}">
<input type="hidden" name="run" value="1">
${parameters.length === 0 ? paragraph(text.tryIt.noParameters) : fields}
${button(text.tryIt.run)}
</form>`,
  );
}

/** No limits in the field: the API checks the value, and its error is a response too. */
function parameterField({ text, query }: TenantContext, parameter: Parameter): SafeHtml {
  const { name, description, isRequired, isNumber, isList } = parameter;
  const id = `parameter-${name}`;
  const hint = text.tryIt.parameterHints[name];
  const value = query.get(prefix + name) ?? '';
  const attributes = html`class="kern-form-input__input" id="${id}" name="${prefix}${name}" autocomplete="off" spellcheck="false" aria-describedby="${id}-hint${isList ? ` ${id}-lines` : ''}"`;
  return html`<div class="kern-form-input">
<label class="kern-label" for="${id}"><code>${name}</code> <span class="kern-label__optional">– ${isRequired ? text.tryIt.required : text.form.optional}</span></label>
<div class="kern-hint" id="${id}-hint"${hint === undefined ? html` lang="en"` : ''}>${hint ?? description.replaceAll('`', '')}</div>
${
  isList
    ? html`<div class="kern-hint" id="${id}-lines">${text.tryIt.onePerLine}</div>
<textarea ${attributes} rows="2">${value}</textarea>`
    : html`<input ${attributes} type="text" value="${value}"${isNumber ? html` inputmode="numeric"` : ''}>`
}
</div>`;
}

function response(context: TenantContext, request: ShownRequest, result: OperationResult): SafeHtml {
  const { text } = context;
  const { status, headers } = result;
  const rows = headers.map(([name, value]) => [
    html`<code>${name}</code>`,
    html`<code class="long-text">${value}</code>`,
  ]);
  const next = findNextCursor(result);
  return section(
    text.tryIt.response,
    html`<p class="kern-body" role="status"><code>GET ${requestPath(request)}</code><br><strong>${text.terms.status}: ${status} ${STATUS_CODES[status] ?? ''}</strong></p>
<h3 class="kern-heading-small">${text.tryIt.body}</h3>
${jsonBlock(context, result)}
${next === undefined ? '' : paragraph(actionLink(nextPageUrl(context, next), text.tryIt.nextPage))}
<h3 class="kern-heading-small">${text.tryIt.headers}</h3>
${table(text.tryIt.headers, [text.tryIt.header, text.tryIt.value], rows, { narrow: true })}
<p class="kern-body kern-body--small">${text.tryIt.limitNote}</p>
${requestField(context, request)}`,
  );
}

function findNextCursor({ body }: OperationResult): string | undefined {
  const { pagination } = JSON.parse(body);
  return pagination?.has_more ? pagination.next_cursor : undefined;
}

function nextPageUrl(context: TenantContext, cursor: string): string {
  const query = new URLSearchParams(context.query);
  query.set(`${prefix}cursor`, cursor);
  return context.recordsAddress(`try?${query}`);
}
