/** Unpublishing single records, the list of all decisions on records, and taking decisions back. */

import { recordKinds } from '../../../../contract/resources/changes.ts';
import type { Session } from '../../../../contract/resources/session.ts';
import { nameRecordSubject } from '../../../../domain/approvals/approval-request.ts';
import type {
  FoundRecordDecision,
  RecordMatch,
  RecordReference,
} from '../../../../domain/records/record-decision.ts';
import type { RecordKind, SubmissionRecord, SurveyRecord } from '../../../../domain/records/records.ts';
import { removeRecord } from '../../../../ingest/record-edits/remove-record.ts';
import { alert, announcement, longText, paragraph, table, userText } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import { describeRange, pager, readPage, rowsPerPage } from '../../../ui/list-page.ts';
import { sessionTitle } from '../../../ui/records/published-sessions.ts';
import { readSourceFields } from '../../../ui/records/record-source.ts';
import { submissionTitle } from '../../../ui/records/submission-content.ts';
import type { AdminContext } from '../../admin-context.ts';
import { form, formActions } from '../../forms/forms.ts';
import { currentActor, may, type TenantContext } from '../../requests/page-context.ts';
import { type AdminResponse, type FormState, notFound, type Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { actorName } from '../../ui/actor-name.ts';
import { askNote, publishLabel, recordWaitingNote, waitingNote } from '../../ui/approval-note.ts';
import { dataTabs, readRecord } from '../../ui/data-browser.ts';
import {
  isUnpublished,
  readReason,
  reasonField,
  recordPath,
  remainsSection,
  revertConsequences,
  revertLabel,
} from '../../ui/record-decision.ts';
import { publishOrAsk } from '../approvals/publishing-actions.ts';

/** They return a record. */
export const recordOperations = {
  submission: 'getSubmission',
  session: 'getSession',
  survey: 'getSurveyResults',
} as const;

export const recordRoute = (kind: RecordKind) =>
  `/admin/organizations/:organizationId/data/${kind}s/:${kind}Id`;

export const findRecordReference = (
  { organization, params }: TenantContext,
  kind: RecordKind,
): RecordReference => ({
  organizationId: organization.id,
  kind,
  id: params[`${kind}Id`]?.toLowerCase() ?? '',
});

/** @param record its fields in the API */
export function recordTitle(context: TenantContext, kind: RecordKind, record: object): string {
  if (kind === 'submission') return submissionTitle(context, record as SubmissionRecord);
  return kind === 'session' ? sessionTitle(context, record as Session) : (record as SurveyRecord).title;
}

/** The pages above a form about a record. */
export const recordParents = (context: TenantContext, reference: RecordReference, name: string) => [
  {
    path: context.recordsAddress(`${reference.kind}s`),
    name: context.text.terms[`${reference.kind}s`],
  },
  { path: recordPath(context, reference), name },
];

export function recordDecisionRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: TenantContext): Promise<Page> {
    const { text, query, organization } = context;
    const slice = await readPage(context, async (page) => {
      const { decisions, total } = await store.listRecordDecisions(organization.id, page);
      return { rows: decisions, total };
    });
    const { rows, page, total } = slice;
    const range = describeRange(context, (page - 1) * rowsPerPage, rows.length, total);
    const body = html`${dataTabs(context)}${query.has('missing') ? announcement(text.recordDecisions.revertedMissing) : ''}
${paragraph(text.recordDecisions.intro)}
${total === 0 ? paragraph(text.recordDecisions.none) : html`${paragraph(range)}${decisionTable(context, rows)}`}
${pager(context, slice)}${matchSection(context, page === 1 ? await store.listRecordMatches(organization.id, maxShownMatches + 1) : [])}`;
    return { title: text.recordDecisions.title, body };
  }

  async function readTitle(context: TenantContext, { kind, id }: RecordReference): Promise<string> {
    const { body } = await readRecord(admin, context, recordOperations[kind], id);
    const record = JSON.parse(body).data;
    // The operation returns no title of a submission.
    const ofSource =
      kind === 'survey' ? {} : await readSourceFields(store, context.organization.id, kind, id);
    return recordTitle(context, kind, { ...record, ...ofSource });
  }

  const createRoutes = (kind: RecordKind): Route[] => {
    async function unpublishPage(context: TenantContext, { values, errors }: FormState): Promise<Page> {
      const words = context.text.recordDecisions;
      const reference = findRecordReference(context, kind);
      const name = await readTitle(context, reference);
      const content = html`${reasonField(context, values.get('reason') ?? '', errors.reason)}
${formActions(context, words.unpublish, recordPath(context, reference))}`;
      return {
        title: words.unpublishTitle[kind],
        body: html`${paragraph(userText(name))}${paragraph(words.consequence[kind])}${paragraph(words.copies)}
${form(context, content, errors)}`,
        parents: recordParents(context, reference, name),
      };
    }

    async function unpublish(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
      const reason = readReason(admin, context, values);
      const reference = findRecordReference(context, kind);
      const isDone = await store.unpublishRecord(reference, reason, currentActor(context));
      // Somebody else may have unpublished it meanwhile: then its page says so.
      if (!isDone && (await store.findRecordDecision(reference)) === undefined) throw notFound();
      return { redirectTo: `${recordPath(context, reference)}?unpublished` };
    }

    async function removePage(context: TenantContext, { values, errors }: FormState): Promise<AdminResponse> {
      const words = context.text.recordDecisions;
      const reference = findRecordReference(context, kind);
      const decision = await store.findRecordDecision(reference);
      if (decision?.decision === 'removed') return { redirectTo: recordPath(context, reference) };
      const name =
        decision !== undefined && isUnpublished(decision)
          ? decidedTitle(context, decision)
          : await readTitle(context, reference);
      const content = html`${reasonField(context, values.get('reason') ?? '', errors.reason)}
${formActions(context, words.remove, recordPath(context, reference), 'destructive')}`;
      return {
        title: words.removeTitle[kind],
        body: html`${paragraph(userText(name))}${alert('warning', words.removeWarning)}
${paragraph(words.removeConsequence)}${paragraph(words.removeSource)}
${await remainsSection(store, context)}
${form(context, content, errors)}`,
        parents: recordParents(context, reference, name),
      };
    }

    async function remove(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
      const reason = readReason(admin, context, values);
      const reference = findRecordReference(context, kind);
      const by = currentActor(context);
      const removed = await removeRecord(store, admin.uploads, reference, { reason, by });
      if (removed === undefined) throw notFound();
      return { redirectTo: `${recordPath(context, reference)}?removed=${removed.cancelledImports}` };
    }

    async function revertPage(context: TenantContext): Promise<AdminResponse> {
      const reference = findRecordReference(context, kind);
      const decision = await store.findRecordDecision(reference);
      // Somebody else may have taken it back meanwhile.
      if (decision === undefined) return { redirectTo: recordPath(context, reference) };
      const label = revertLabel(context, decision);
      const name = decidedTitle(context, decision);
      return {
        title: label,
        body: html`${decision.record === null ? '' : paragraph(userText(name))}
${revertConsequences(context, decision)}
${await recordWaitingNote(store, context, reference)}${await askNote(store, context)}
${form(context, formActions(context, publishLabel(context, label), recordPath(context, reference)))}`,
        parents: recordParents(context, reference, name),
      };
    }

    async function revert(context: TenantContext): Promise<AdminResponse> {
      const reference = findRecordReference(context, kind);
      const decision = await store.findRecordDecision(reference);
      // Somebody else may have taken it back meanwhile.
      if (decision === undefined) return { redirectTo: recordPath(context, reference) };
      const { decidedAt } = decision;
      return publishOrAsk(admin, context, 'reversal', nameRecordSubject(reference), { decidedAt });
    }

    async function findMatch(context: TenantContext): Promise<RecordMatch | undefined> {
      const reference = findRecordReference(context, kind);
      const match = await store.findRecordMatch(reference);
      return match?.allowedAt === null ? match : undefined;
    }

    async function allowPage(context: TenantContext): Promise<AdminResponse> {
      const words = context.text.recordDecisions;
      const list = context.recordsAddress('decisions');
      const match = await findMatch(context);
      // Somebody else may have allowed it meanwhile.
      if (match === undefined) return { redirectTo: list };
      return {
        title: words.allowTitle,
        body: html`${paragraph(match.id)}
${paragraph(words.allowConsequence(words.decisionKinds[match.decision]))}
${await waitingNote(store, context, ['match'], nameRecordSubject(match))}${await askNote(store, context)}
${form(context, formActions(context, publishLabel(context, words.allow), list))}`,
        parents: [{ path: list, name: words.title }],
      };
    }

    async function allow(context: TenantContext): Promise<AdminResponse> {
      const match = await findMatch(context);
      if (match === undefined) return { redirectTo: context.recordsAddress('decisions') };
      return publishOrAsk(admin, context, 'match', nameRecordSubject(match), {});
    }

    const path = recordRoute(kind);
    // They change published data.
    const administration = { access: 'publish', requiresRecentAuth: true } as const;
    return [
      { ...administration, path: `${path}/unpublish`, get: unpublishPage, post: unpublish },
      { ...administration, path: `${path}/remove`, get: removePage, post: remove },
      { ...administration, path: `${path}/revert`, get: revertPage, post: revert },
      { ...administration, path: `${path}/allow`, get: allowPage, post: allow },
    ];
  };

  return [
    { path: '/admin/organizations/:organizationId/data/decisions', access: 'see', get: listPage },
    ...recordKinds.flatMap(createRoutes),
  ];
}

function decisionTable(context: TenantContext, decisions: readonly FoundRecordDecision[]) {
  const { text, format } = context;
  const { record, decision, decisionKinds, reason, title } = text.recordDecisions;
  const rows = decisions.map((each) => [
    decidedRecord(context, each),
    decisionKinds[each.decision],
    longText(each.reason),
    format.time(each.decidedAt),
    actorName(each.actor, context),
  ]);
  return table(title, [record, decision, reason, text.audit.at, text.audit.actor], rows, { cards: '' });
}

/** `rostra record matches` lists all. */
const maxShownMatches = 100;

/** Without the content, which is not stored. */
function matchSection(context: TenantContext, matches: readonly RecordMatch[]) {
  if (matches.length === 0) return '';
  const { text, format } = context;
  const words = text.recordDecisions;
  const rows = matches
    .slice(0, maxShownMatches)
    .map((match) => [
      html`<code>${match.id}</code><br><span class="kern-hint">${words.kinds[match.kind]}</span>`,
      html`<a class="kern-link record-link" href="${recordPath(context, { ...match, id: match.decidedId })}"><code>${match.decidedId}</code></a><br><span class="kern-hint">${words.decisionKinds[match.decision]}</span>`,
      match.source === null ? '' : userText(match.source),
      format.time(match.matchedAt),
      match.allowedAt !== null
        ? html`${words.allowed} ${format.time(match.allowedAt)}`
        : may(context, 'publish')
          ? html`<a class="kern-link" href="${recordPath(context, match)}/allow">${words.allow}</a>`
          : '',
    ]);
  const headings = [words.matchId, words.matchOf, words.matchSource, words.matchedAt, words.decision];
  const isCut = matches.length > maxShownMatches;
  return html`<h2 class="kern-title">${words.matches}</h2>${paragraph(words.matchesIntro)}${isCut ? paragraph(words.latestMatches(format.number(maxShownMatches))) : ''}
${table(words.matches, headings, rows, { cards: '' })}`;
}

function decidedTitle(context: TenantContext, { kind, correctedRecord }: FoundRecordDecision): string {
  return correctedRecord === null
    ? context.text.recordDecisions.kinds[kind]
    : recordTitle(context, kind, correctedRecord);
}

/** Readers do not see the content that the source delivers. */
function decidedRecord(context: TenantContext, decision: FoundRecordDecision) {
  const { kind, id, correctedRecord } = decision;
  const isKnown = correctedRecord !== null && may(context, 'publish');
  const name = isKnown ? userText(decidedTitle(context, decision)) : html`<code>${id}</code>`;
  return html`<a class="kern-link record-link" href="${recordPath(context, decision)}">${name}</a><br><span class="kern-hint">${context.text.recordDecisions.kinds[kind]}</span>`;
}
