/** Unpublishing single records, the list of those that are unpublished, and publishing them again. */
import { html } from '@remix-run/html-template';
import type { Session } from '../../../contract/session.ts';
import { isOneLine } from '../../../domain/name-validation.ts';
import {
  type DecidableKind,
  decidableKinds,
  maxDecisionReasonLength,
  type RecordDecision,
} from '../../../domain/record-decision.ts';
import type { SubmissionRecord } from '../../../domain/records.ts';
import type { AdminContext } from '../../admin-context.ts';
import { currentActor, type TenantContext } from '../../page-context.ts';
import { type AdminResponse, FormError, type FormErrors, notFound, type Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import {
  actorName,
  announcement,
  field,
  form,
  formActions,
  link,
  longText,
  paragraph,
  table,
  userText,
} from '../../ui/components.ts';
import { dataPath, dataTabs, readRecord } from '../../ui/data-browser.ts';
import { recordLists, recordPath } from '../../ui/record-decision.ts';
import { sessionTitle } from './sessions.ts';
import { submissionTitle } from './submissions.ts';

const operations = { submission: 'getSubmission', session: 'getSession' } as const;

export function recordDecisionRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: TenantContext): Promise<Page> {
    const { text, query, organization } = context;
    const decisions = await store.listRecordDecisions(organization.id);
    const body = html`${dataTabs(context)}${query.has('missing') ? announcement(text.decisions.revertedMissing) : ''}
${paragraph(text.decisions.intro)}
${decisions.length === 0 ? paragraph(text.decisions.none) : decisionTable(context, decisions)}`;
    return { title: text.decisions.title, body };
  }

  const createHandlers = (kind: DecidableKind) => {
    const findKey = ({ organization, params }: TenantContext) => ({
      organizationId: organization.id,
      kind,
      id: params[`${kind}Id`]?.toLowerCase() ?? '',
    });

    async function unpublishPage(
      context: TenantContext,
      values: URLSearchParams,
      errors: FormErrors,
    ): Promise<Page> {
      const { text } = context;
      const key = findKey(context);
      const { body } = await readRecord(admin, context, operations[kind], key.id);
      const { data } = JSON.parse(body);
      const name =
        kind === 'submission'
          ? submissionTitle(context, data as SubmissionRecord)
          : sessionTitle(context, data as Session);
      const words = text.decisions;
      const address = recordPath(context, key);
      const reason = field({
        name: 'reason',
        label: words.reason,
        hint: words.reasonHint,
        value: values.get('reason') ?? '',
        error: errors.reason,
        autocomplete: 'off',
        attributes: html` maxlength="${maxDecisionReasonLength}"`,
      });
      return {
        title: words.unpublishTitle[kind],
        body: html`${paragraph(userText(name))}${paragraph(words.consequence[kind])}${paragraph(words.copies)}
${form(context, html`${reason}${formActions(context, words.unpublish, address)}`, errors)}`,
        parents: [
          { path: `${dataPath(context)}/${recordLists[kind]}`, name: text.terms[recordLists[kind]] },
          { path: address, name },
        ],
      };
    }

    async function unpublish(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
      const { text, format } = context;
      const reason = (values.get('reason') ?? '').trim();
      if (reason === '') throw new FormError({ reason: text.decisions.reasonMissing });
      if (!isOneLine(reason, maxDecisionReasonLength))
        throw new FormError({ reason: text.decisions.reasonTooLong(format.number(maxDecisionReasonLength)) });
      const key = findKey(context);
      const isDone = await store.unpublishRecord(key, reason, currentActor(context));
      // Somebody else may have unpublished it meanwhile: then its page says so.
      if (!isDone && (await store.findRecordDecision(key)) === undefined) throw notFound();
      return { redirectTo: `${recordPath(context, key)}?unpublished` };
    }

    async function revert(context: TenantContext): Promise<AdminResponse> {
      const key = findKey(context);
      const decision = await store.revertRecordDecision(key, currentActor(context));
      const isMissing = decision !== undefined && !decision.isInSource;
      return {
        redirectTo: isMissing
          ? `${dataPath(context)}/decisions?missing`
          : `${recordPath(context, key)}?reverted`,
      };
    }

    return { findKey, unpublishPage, unpublish, revert };
  };

  const base = '/admin/organizations/:organizationId/data';
  return [
    { path: `${base}/decisions`, access: 'reader', get: listPage },
    ...decidableKinds.flatMap((kind): Route[] => {
      const { findKey, unpublishPage, unpublish, revert } = createHandlers(kind);
      const path = `${base}/${recordLists[kind]}/:${kind}Id`;
      return [
        {
          path: `${path}/unpublish`,
          access: 'administrator',
          // It changes published data.
          requiresRecentAuth: true,
          get: unpublishPage,
          post: unpublish,
        },
        {
          path: `${path}/revert`,
          access: 'administrator',
          requiresRecentAuth: true,
          get: async (context) => ({ redirectTo: recordPath(context, findKey(context)) }),
          post: revert,
        },
      ];
    }),
  ];
}

function decisionTable(context: TenantContext, decisions: readonly RecordDecision[]) {
  const { text, format } = context;
  const { record, reason, at, by } = text.decisions;
  const rows = decisions.map((decision) => [
    link(
      recordPath(context, decision),
      html`${text.decisions.kinds[decision.kind]} <code>${decision.id}</code>`,
    ),
    longText(decision.reason),
    format.time(decision.decidedAt),
    actorName(decision.actor, context),
  ]);
  return table(text.decisions.title, [record, reason, at, by], rows);
}
