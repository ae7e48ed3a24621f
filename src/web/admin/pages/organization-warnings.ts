/** What a municipality needs attention for, each with the action that resolves it. */

import { decidingPermissions, type ListedApproval } from '../../../domain/approvals/approval-request.ts';
import {
  listIssues,
  type OrganizationIssue,
  type OrganizationOverview,
} from '../../../domain/organizations/organization-overview.ts';
import type { SourceSummary } from '../../../domain/sources/import-source.ts';
import { getSourceCondition } from '../../../domain/sources/source-schedule.ts';
import type { Store } from '../../../domain/store.ts';
import { link, paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import { approvalsPath, isOwnRequest, isReturned } from '../ui/approval-note.ts';
import { organizationPath } from '../ui/navigation.ts';
import { maxListedApprovals } from './approvals/approval-list.ts';
import { describeInput, stepsPath } from './import-wizard/run-stage.ts';
import { type OrganizationHints, readHints } from './organization-hints.ts';
import { sourcePath } from './sources/source-path.ts';

/** Further keys are counted. */
const maxNamedKeys = 5;

interface Warning {
  tone: 'danger' | 'warning';
  text: string;
  /** undefined for accounts that cannot resolve it. */
  action: SafeHtml | undefined;
}

/** @param isReadable somebody can read the published data */
export async function listWarnings(
  store: Store,
  context: TenantContext,
  overview: OrganizationOverview,
  sources: readonly SourceSummary[],
  isReadable: boolean,
): Promise<Warning[]> {
  const { organization, nowMs } = context;
  const hints = (await readHints(store, [organization.id], nowMs)).get(organization.id);
  const requests = may(context, 'approvals')
    ? await store.listApprovalRequests(organization.id, maxListedApprovals)
    : [];
  const warnings = await Promise.all([
    listImportWarnings(context, overview),
    may(context, 'importOrPublish') ? listWaitingImports(store, context, requests) : [],
    listApprovalWarnings(context, requests),
    listSourceWarnings(context, sources),
    listExpiryWarnings(store, context, overview),
    hints === undefined ? [] : listUsageWarnings(context, hints),
    hints === undefined || !isReadable ? [] : listSettingsWarnings(context, hints),
  ]);
  return warnings.flat();
}

export function warningList({ text }: TenantContext, warnings: readonly Warning[]): SafeHtml {
  if (warnings.length === 0) return paragraph(text.home.nothing);
  const items = warnings.map(
    ({ tone, text, action }) =>
      html`<li class="task-list__item"><span class="kern-icon kern-icon--${tone}" aria-hidden="true"></span><span class="task-list__text kern-body">${text}</span>${action}</li>`,
  );
  return html`<ul class="task-list">${items}</ul>`;
}

function listImportWarnings(context: TenantContext, overview: OrganizationOverview): Warning[] {
  const { text, format, nowMs, organization } = context;
  const imports = `${organizationPath(organization)}/imports`;
  const { latestRun } = overview;
  const age = latestRun ? format.relativeTime(latestRun.endedAt ?? latestRun.startedAt, nowMs) : '';
  const toRun = link(`${imports}/${latestRun?.id}`, text.warnings.toRun);
  // Sources are listed by name.
  const warnings: Partial<Record<OrganizationIssue, Warning>> = {
    runFailed: { tone: 'danger', text: text.warnings.runFailed(age), action: toRun },
    runInterrupted: { tone: 'warning', text: text.warnings.runInterrupted(age), action: toRun },
  };
  return listIssues(overview).flatMap((issue) => warnings[issue] ?? []);
}

/** Imports that wait for a decision, such as the confirmation of a dry run. */
async function listWaitingImports(
  store: Store,
  context: TenantContext,
  requests: readonly ListedApproval[],
): Promise<Warning[]> {
  const { text, organization } = context;
  const waiting = (await store.listOpenRuns(organization.id)).filter(
    ({ state, isAwaitingApproval }) => state === 'done' && !isAwaitingApproval,
  );
  return waiting.map((run) => {
    const request = requests.find(({ kind, subject }) => kind === 'import' && subject === run.id);
    const input = describeInput(run);
    return {
      tone: 'warning',
      text: isReturned(request)
        ? text.warnings.importReturned(input, request.decidedBy)
        : text.warnings.importWaits(input),
      action: link(stepsPath(run), text.warnings.toWaitingImport),
    };
  });
}

/** Requests that the user may approve. */
function listApprovalWarnings(context: TenantContext, requests: readonly ListedApproval[]): Warning[] {
  const { text, format } = context;
  const { oneWaits, someWait, toList } = text.approvals;
  const { length } = requests.filter(
    (request) =>
      request.state === 'open' &&
      may(context, decidingPermissions[request.kind]) &&
      !isOwnRequest(context, request),
  );
  if (length === 0) return [];
  const waits = length === 1 ? oneWaits : someWait(format.number(length));
  return [{ tone: 'warning', text: waits, action: link(approvalsPath(context), toList) }];
}

/** Further sources are in the list of sources. */
const maxNamedSources = 5;

function listSourceWarnings(context: TenantContext, sources: readonly SourceSummary[]): Warning[] {
  const { text, format, nowMs, organization } = context;
  const words = text.sources.warnings;
  const problems = sources.filter((source) =>
    ['failing', 'stale'].includes(getSourceCondition(source, nowMs)),
  );
  return problems.slice(0, maxNamedSources).map(
    ({ name, failingSince }): Warning => ({
      tone: 'danger',
      text:
        failingSince === null
          ? words.stale(name)
          : words.failing(name, format.relativeTime(failingSince, nowMs)),
      action: link(sourcePath(organization, name), words.action),
    }),
  );
}

async function listExpiryWarnings(
  store: Store,
  context: TenantContext,
  { organizationId, expiringKeys }: OrganizationOverview,
): Promise<Warning[]> {
  if (expiringKeys === 0) return [];
  const { text, format, nowMs, organization } = context;
  const path = `${organizationPath(organization)}/keys`;
  const keys = await store.listExpiringKeys(organizationId, maxNamedKeys);
  const named = keys.map(({ id, name, expiresAt }): Warning => {
    const time = format.relativeTime(expiresAt ?? '', nowMs);
    const action = may(context, 'keys')
      ? link(`${path}/${id}/rotate`, text.rotate.action)
      : link(`${path}/${id}`, text.warnings.toKey);
    return { tone: 'warning', text: text.warnings.keyExpires(name, time), action };
  });
  const rest = expiringKeys - keys.length;
  if (rest <= 0) return named;
  const action = link(`${path}?state=active&sort=expires&order=ascending`, text.warnings.toKeys);
  return [...named, { tone: 'warning', text: text.warnings.moreKeysExpire(format.number(rest)), action }];
}

function listUsageWarnings(
  context: TenantContext,
  { limitedKeys, inactiveKeysInUse, unusedKeys: unused }: OrganizationHints,
): Warning[] {
  const { text, format, organization } = context;
  const path = `${organizationPath(organization)}/keys`;
  const overLimit = limitedKeys.slice(0, maxNamedKeys).map(
    ({ keyId, keyName, days, requests }): Warning => ({
      tone: 'warning',
      text: text.warnings.keyOverLimit(keyName, days, format.number(requests)),
      action: link(`${path}/${keyId}`, text.warnings.toKey),
    }),
  );
  const inUse = inactiveKeysInUse.slice(0, maxNamedKeys).map(
    ({ keyId, keyName, requests }): Warning => ({
      tone: 'warning',
      text: text.warnings.inactiveKeyInUse(keyName, format.number(requests)),
      action: link(`${path}/${keyId}`, text.warnings.toKey),
    }),
  );
  if (unused === 0) return [...overLimit, ...inUse];
  const unusedText = text.warnings.unusedKeys(unused, format.number(unused));
  const action = link(`${path}?state=unused`, text.warnings.toKeys);
  return [...overLimit, ...inUse, { tone: 'warning', text: unusedText, action }];
}

function listSettingsWarnings(
  context: TenantContext,
  { lacksContact, lacksLicense }: OrganizationHints,
): Warning[] {
  const { text, organization } = context;
  const action = may(context, 'accounts')
    ? link(`${organizationPath(organization)}/settings`, text.warnings.toSettings)
    : undefined;
  return [lacksContact && text.warnings.noContact, lacksLicense && text.warnings.noLicense]
    .filter((text) => text !== false)
    .map((text) => ({ tone: 'warning', text, action }));
}
