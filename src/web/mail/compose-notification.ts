/** Composes a queued message from the current data, in the language of its reader. */

import { hash } from 'node:crypto';
import { type Account, findPermissions } from '../../domain/accounts/account.ts';
import { commandLine } from '../../domain/accounts/actor.ts';
import type { Publication, PublishingAction } from '../../domain/accounts/audit-log.ts';
import { listNotificationKinds } from '../../domain/accounts/mail.ts';
import type { ClaimedMail } from '../../domain/accounts/mail-outbox.ts';
import { decidingPermissions, isAboutRecord } from '../../domain/approvals/approval-request.ts';
import { findMaintenanceFaults } from '../../domain/installation/maintenance-run.ts';
import type { StoredKey } from '../../domain/keys/stored-key.ts';
import type { Organization } from '../../domain/organizations/organization.ts';
import { publications as german } from '../../domain/reasons/de/publications.ts';
import { publications as english } from '../../domain/reasons/en/publications.ts';
import { describeReason, type ReasonLanguage, truncate } from '../../domain/reasons/reason.ts';
import { isRecordKind, type RecordKind } from '../../domain/records/records.ts';
import type { Store } from '../../domain/store.ts';
import { createMailFormatter, type MailFormatter } from './mail-formatter.ts';
import { type MailLanguage, selectMailLanguage } from './messages/languages.ts';
import { getExpiryEvent, minLimitDays } from './notification-events.ts';
import { type MailContent, renderMail } from './render-mail.ts';
import type { OutgoingMail } from './smtp-transport.ts';

export interface ComposeOptions {
  store: Store;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Time zone of messages about the whole installation. */
  timeZone: string;
  /** Default limit of requests per window. */
  rateLimit: number;
  rateWindowMs: number;
  senderDomain: string;
}

interface ComposeContext extends ComposeOptions, MailLanguage {
  account: Account;
  nowMs: number;
  /** With the time zone of the municipality, if the message is about one. */
  format: MailFormatter;
}

/** What a message is about, and where it is resolved. */
type Matter = Pick<MailContent, 'subject' | 'paragraphs' | 'groups' | 'action' | 'remarks'>;

const maxFaults = 10;
const maxPublications = 50;
const dayMs = 86_400_000;

/** @returns undefined if the reason of the message no longer exists, or the account must not or does not want to receive it */
export async function composeNotification(
  mail: ClaimedMail,
  nowMs: number,
  options: ComposeOptions,
): Promise<OutgoingMail | undefined> {
  const { store, publicUrl, senderDomain } = options;
  const account = await store.findAccount(mail.accountId);
  if (account === undefined || !(await mayReceive(store, account, mail))) return undefined;
  const language = selectMailLanguage(account.language);
  const { text } = language;
  const organization =
    mail.organizationId === '' ? undefined : await store.findOrganization(mail.organizationId);
  if (organization === undefined && mail.organizationId !== '') return undefined;
  const format = createMailFormatter(text.locale, organization?.timeZone ?? options.timeZone);
  const matter = await composeMatter(mail, organization, { ...options, ...language, account, nowMs, format });
  if (matter === undefined) return undefined;
  const token = await store.getUnsubscribeToken(account.id, mail.kind);
  const unsubscribeUrl = `${publicUrl}/admin/unsubscribe/${token}`;
  const body = renderMail({
    ...matter,
    language: language.language,
    footer: [text.reason(account.email, publicUrl)],
    footerLinks: [
      { label: text.unsubscribe[mail.kind], url: unsubscribeUrl },
      { label: text.settings, url: `${publicUrl}/admin/account#notifications` },
    ],
  });
  return { ...body, to: account.email, messageId: createMessageId(mail, senderDomain), unsubscribeUrl };
}

/** Role and settings may have changed since the message was queued. */
async function mayReceive(store: Store, account: Account, mail: ClaimedMail): Promise<boolean> {
  const isOwn = mail.kind === 'approval_decided';
  if (!isOwn && account.isOperator !== (mail.organizationId === '')) return false;
  const { organizationId } = mail;
  if (!listNotificationKinds(account, organizationId || undefined).includes(mail.kind)) return false;
  return !(await store.listDisabledNotifications(account.id)).includes(mail.kind);
}

function createMessageId(
  { accountId, kind, subjectId, event, createdAtMs }: ClaimedMail,
  domain: string,
): string {
  const name = [accountId, kind, subjectId, event, createdAtMs].join(' ');
  return `<${hash('sha256', name).slice(0, 32)}@${domain}>`;
}

/** @param organization undefined: the message is about the whole installation */
async function composeMatter(
  mail: ClaimedMail,
  organization: Organization | undefined,
  context: ComposeContext,
): Promise<Matter | undefined> {
  const { store, publicUrl } = context;
  if (mail.kind === 'maintenance_failure') return composeMaintenanceFailure(context);
  if (mail.kind === 'import_failure' || organization === undefined)
    return composeImportFailure(organization, context);
  if (mail.kind === 'approval_asked' || mail.kind === 'approval_decided')
    return composeApproval(mail, organization, context);
  if (mail.kind === 'publication_digest') return composeDigest(mail.event, organization, context);
  const key = await store.findKey(organization.id, mail.subjectId);
  if (key?.state !== 'active') return undefined;
  const page = `${publicUrl}/admin/organizations/${organization.id}/keys/${key.id}`;
  return mail.kind === 'key_expiry'
    ? composeKeyExpiry(mail.event, key, page, context)
    : composeKeyLimit(key, page, context);
}

/** The facts that identify a key, with `specific` ones in between. */
function listKeyFacts(
  key: StoredKey,
  { text: { facts } }: ComposeContext,
  specific: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return [
    [facts.municipality, key.organizationName],
    [facts.key, key.name],
    [facts.prefix, key.prefix],
    ...specific,
    ...(key.contact === null ? [] : [[facts.contact, key.contact] as const]),
    ...(key.purpose === null ? [] : [[facts.purpose, key.purpose] as const]),
  ];
}

function composeKeyExpiry(
  event: string,
  key: StoredKey,
  page: string,
  context: ComposeContext,
): Matter | undefined {
  const { format, nowMs } = context;
  const { facts, keyExpiry } = context.text;
  const { expiresAt } = key;
  if (expiresAt === null || key.successorId !== null) return undefined;
  if (getExpiryEvent({ ...key, expiresAt }, nowMs) !== event) return undefined;
  const days = Math.ceil((Date.parse(expiresAt) - nowMs) / dayMs);
  const lastUsed = key.lastUsedAt === null ? facts.never : format.time(key.lastUsedAt);
  return {
    subject: keyExpiry.subject(key.name, format.inDays(days), key.organizationName),
    paragraphs: [keyExpiry.intro(key.name, format.time(expiresAt))],
    groups: [
      listKeyFacts(key, context, [
        [facts.expires, format.time(expiresAt)],
        [facts.lastUsed, lastUsed],
      ]),
    ],
    action: { label: keyExpiry.action, url: page },
    remarks: [keyExpiry.advice],
  };
}

async function composeKeyLimit(
  key: StoredKey,
  page: string,
  context: ComposeContext,
): Promise<Matter | undefined> {
  const { store, format, nowMs, rateLimit, rateWindowMs } = context;
  const { facts, keyLimit } = context.text;
  const { days, rejected } = await store.countKeyRejections(key.organizationId, key.id, nowMs);
  if (days < minLimitDays) return undefined;
  const limit = format.number(key.requestLimit ?? rateLimit);
  return {
    subject: keyLimit.subject(key.name, key.organizationName),
    paragraphs: [keyLimit.intro(key.name, format.number(days))],
    groups: [
      listKeyFacts(key, context, [
        [facts.limit, keyLimit.perWindow(limit, format.interval(rateWindowMs))],
        [facts.rejected, keyLimit.inWeek(format.number(rejected))],
      ]),
    ],
    action: { label: keyLimit.action, url: page },
    remarks: [keyLimit.advice],
  };
}

/** @param organization undefined: of all municipalities, for operators */
async function composeImportFailure(
  organization: Organization | undefined,
  { store, nowMs, language, text, format, publicUrl }: ComposeContext,
): Promise<Matter | undefined> {
  const faults = await store.listImportFaults(organization?.id, nowMs, maxFaults + 1);
  if (faults.length === 0) return undefined;
  const { facts, importFailure } = text;
  const groups = faults
    .slice(0, maxFaults)
    .map(({ organizationName, state, sources, at, error }) => [
      ...(organization === undefined ? [[facts.municipality, organizationName] as const] : []),
      [facts.state, importFailure.states[state]] as const,
      [importFailure.times[state], format.time(at)] as const,
      [facts.sources, sources] as const,
      ...(error === null ? [] : [[facts.error, describeReason(error, language)] as const]),
    ]);
  const isOfAll = organization === undefined;
  const page = isOfAll ? '/admin/imports' : `/admin/organizations/${organization.id}/imports`;
  return {
    subject: isOfAll ? importFailure.subjectOfAll : importFailure.subject(organization.name),
    paragraphs: [isOfAll ? importFailure.introOfAll : importFailure.intro(organization.name)],
    groups,
    action: { label: importFailure.action, url: publicUrl + page },
    remarks: [
      ...(faults.length > maxFaults ? [importFailure.more] : []),
      ...(isOfAll ? [] : [importFailure.advice]),
    ],
  };
}

/** @returns undefined if the request has another state than the message or no longer exists, or the reader may not decide */
async function composeApproval(
  { organizationId, subjectId: id, event }: ClaimedMail,
  organization: Organization,
  { store, account, language, text, format, publicUrl }: ComposeContext,
): Promise<Matter | undefined> {
  const request = await store.findApprovalRequest({ organizationId, id });
  if (request === undefined || request.state !== event) return undefined;
  const { askedBy, askedAt, state, decidedBy, comment } = request;
  const words = text.approval;
  const action = publicationWords[language].approvalKinds[request.kind];
  // Emails do not quote published texts: a correction may take a name out of one.
  const named = isAboutRecord(request) ? null : request.subjectName;
  const what = named === null ? action : `${action} (${truncate(named, maxNameLength)})`;
  const isOpen = state === 'open';
  if (isOpen && !findPermissions(account, organizationId).includes(decidingPermissions[request.kind]))
    return undefined;
  return {
    subject: isOpen
      ? words.subjectAsked(what, organization.name)
      : words.subjectDecided(what, words.states[state], organization.name),
    paragraphs: [isOpen ? words.introAsked(askedBy) : words.introDecided[state]],
    groups: [
      [
        [text.facts.municipality, organization.name],
        [words.what, what],
        [words.askedAt, format.time(askedAt)],
        ...(decidedBy === null ? [] : [[words.decidedBy, decidedBy] as const]),
        ...(comment === null ? [] : [[words.comment, comment] as const]),
      ],
    ],
    action: {
      label: words.action,
      url: `${publicUrl}/admin/organizations/${organizationId}/approvals/${id}`,
    },
    remarks: [],
  };
}

const maxNameLength = 80;

const publicationWords: Record<
  ReasonLanguage,
  { actions: Record<PublishingAction, string>; recordKinds: Record<RecordKind, string> } & typeof english
> = { en: english, de: german };

/** @returns undefined if nobody but the reader has published something on the day */
async function composeDigest(
  day: string,
  organization: Organization,
  { store, account, language, text, format, publicUrl }: ComposeContext,
): Promise<Matter | undefined> {
  const words = text.publicationDigest;
  const found = await store.listPublications(organization.id, day, account.email, maxPublications + 1);
  if (found.length === 0) return undefined;
  const names = await store.listPersonNames(organization.id);
  const facts = found.slice(0, maxPublications).map((publication) => {
    const { action, actor, at } = publication;
    const person = actor === commandLine ? words.commandLine : (names.get(actor) ?? actor);
    const line = words.line(describePublished(publication, language), person, format.time(at));
    return [publicationWords[language].actions[action], line] as const;
  });
  return {
    subject: words.subject(organization.name),
    paragraphs: [words.intro(organization.name, format.day(day))],
    groups: [facts],
    action: {
      label: words.action,
      url: `${publicUrl}/admin/organizations/${organization.id}/audit?from=${day}`,
    },
    remarks: found.length > maxPublications ? [words.more] : [],
  };
}

/** The record or file, or the switches of open data. */
function describePublished(
  { subject, subjectKind, subjectId, changes }: Publication,
  language: ReasonLanguage,
): string {
  const { recordKinds, openData, openDataStates } = publicationWords[language];
  if (subjectKind !== null && isRecordKind(subjectKind)) return `${recordKinds[subjectKind]} ${subjectId}`;
  const switches = changes.flatMap(({ field, after }) =>
    field === 'openData' || field === 'openDataIndex'
      ? [`${openData[field]}: ${openDataStates[after === 'on' ? 'on' : 'off']}`]
      : [],
  );
  return switches.length === 0 ? subject : switches.join(', ');
}

async function composeMaintenanceFailure({
  store,
  nowMs,
  text: { facts, maintenanceFailure },
  format,
}: ComposeContext): Promise<Matter | undefined> {
  const { subject, intro, tasks, states, times, advice } = maintenanceFailure;
  const faults = findMaintenanceFaults(await store.listMaintenanceRuns(), nowMs);
  if (faults.length === 0) return undefined;
  return {
    subject,
    paragraphs: [intro],
    groups: faults.map(({ kind, state, at, error }) => [
      [facts.task, tasks[kind]],
      [facts.state, states[state]],
      [times[state], format.time(at)],
      ...(error === null ? [] : [[facts.error, error] as const]),
    ]),
    action: undefined,
    remarks: [advice],
  };
}
