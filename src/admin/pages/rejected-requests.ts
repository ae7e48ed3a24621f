/** The latest rejected requests of a key, and what their codes mean. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type ErrorStatus, findErrorCode } from '../../contract/error-codes.ts';
import type { RejectedRequest } from '../../domain/key-usage.ts';
import type { TenantContext } from '../page-context.ts';
import { descriptionList, link, paragraph, section, table } from '../ui/components.ts';
import { folded } from '../ui/folded.ts';
import { operationName } from '../ui/operation-name.ts';

/** Further requests are folded. */
const visibleRequests = 10;

export function rejectedRequestsSection(
  context: TenantContext,
  requests: readonly RejectedRequest[],
): SafeHtml {
  const { text, format, publicUrl } = context;
  const { title, intro, none, earlier, meaning, explanations, documentation } = text.rejectedRequests;
  if (requests.length === 0) return section(title, paragraph(none));
  const others = requests.slice(visibleRequests);
  const othersTitle = earlier(format.number(others.length));
  const statuses = [...new Set(requests.map(({ status }) => status))].sort((one, other) => one - other);
  const meanings = statuses.map((status): [string, string] => [
    describeStatus(status),
    explanations[status] ?? '–',
  ]);
  return section(
    title,
    html`${paragraph(intro)}${requestTable(context, title, requests.slice(0, visibleRequests))}
${others.length === 0 ? '' : folded(othersTitle, requestTable(context, othersTitle, others))}
<h3 class="kern-heading-small">${meaning}</h3>
${descriptionList(meanings)}
${paragraph(link(`${publicUrl}/docs#errors`, documentation))}`,
  );
}

const findCode = (status: number) => findErrorCode(status as ErrorStatus) ?? '–';

const describeStatus = (status: number) => `${findCode(status)} (${status})`;

function requestTable(
  context: TenantContext,
  caption: string,
  requests: readonly RejectedRequest[],
): SafeHtml {
  const { text, format } = context;
  return table(
    caption,
    [text.audit.at, text.usage.operation, text.rejectedRequests.status, text.rejectedRequests.code],
    requests.map(({ at, operation, status }) => [
      format.timeWithSeconds(at),
      operationName(operation, context),
      String(status),
      html`<code>${findCode(status)}</code>`,
    ]),
  );
}
