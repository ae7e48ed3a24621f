import { recordKinds } from '../../../contract/resources/changes.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import { describeReason, type Reason } from '../../../domain/reasons/reason.ts';
import {
  type CorrectableReference,
  maxDecisionReasonLength,
  type RecordDecision,
  type RecordMatch,
  type RecordReference,
} from '../../../domain/records/record-decision.ts';
import { deriveNamespace, deriveRecordId } from '../../../domain/values/uuid.ts';
import {
  findPersonalFields,
  hasPersonalData,
  listCorrectableFields,
  nameSurveyTexts,
  parseSurveyTexts,
  parseTypedFields,
} from '../../../ingest/record-edits/correction-validation.ts';
import { findFileExpiry, removeRecord } from '../../../ingest/record-edits/remove-record.ts';
import { createTypedTextRedactor } from '../../../ingest/runs/prepare-import.ts';
import { createUploadStorage } from '../../../ingest/runs/upload-storage.ts';
import { mapInSlices } from '../../../platform/time-slices.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { locateUploads } from '../../config/locate-folders.ts';
import type { Config } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { confirm } from '../confirm.ts';
import {
  argument,
  defineGroup,
  defineStoreCommand,
  json,
  oneOf,
  option,
  organization,
  required,
  yes,
} from '../define-command.ts';
import { requireOrganization } from '../find-organization.ts';
import { createLineParser } from '../options/option-parsers.ts';
import { formatTime, print, printError, printJson, printTable } from '../output.ts';

const recordId = argument('<id>', 'published id, or id in the source');
const recordArguments = { kind: oneOf(recordKinds, argument('<kind>', 'kind of record')), id: recordId };
const recordOptions = {
  organization,
  source: option('name', 'the --source of the import, if the id is that of the source'),
};
const reason = required(
  option(
    'text',
    'why, for the audit log and the admin area; no personal data',
    createLineParser(maxDecisionReasonLength),
  ),
);

interface RecordArguments<Kind> {
  kind: Kind;
  id: string;
  organization: string;
  source: string | undefined;
}

async function resolveRecord<Kind>(store: OpenedStore, { kind, id, ...flags }: RecordArguments<Kind>) {
  const organization = await requireOrganization(store, flags.organization);
  const record = {
    organizationId: organization.id,
    kind,
    id: deriveRecordId(deriveNamespace(organization.id, flags.source), id),
  };
  return { organization, record };
}

const chooseCountry = (organization: Organization, config: Config) => organization.country ?? config.country;

/** @throws CommandError */
function assertImpersonal(text: string, organization: Organization, config: Config): void {
  if (hasPersonalData(text, chooseCountry(organization, config)))
    throw new CommandError(
      'The reason contains personal data, such as an email address or a telephone number. Give the reason without it.',
      exitCodes.usage,
    );
}

const notPublished = ({ name }: Organization, kind: string, id: string) =>
  new CommandError(
    `${name} has no published ${kind} with the id ${id}. "rostra record list" lists unpublished and removed records.`,
  );

/** @throws CommandError */
function parseEntries(given: readonly string[], known: readonly string[]): Map<string, string> {
  return new Map(
    given.map((entry) => {
      const at = entry.indexOf('=');
      const name = entry.slice(0, Math.max(at, 0));
      if (known.includes(name)) return [name, entry.slice(at + 1)];
      throw new CommandError(
        `"${entry}" must be one of these fields with its new value: ${known.join(', ')}. An example is "${known[0]}=new value".`,
        exitCodes.usage,
      );
    }),
  );
}

interface Correction {
  fields: string[];
  reason: string;
}

/** @returns false if it is not published @throws CommandError for invalid texts */
async function correctSurvey(
  store: OpenedStore,
  organization: Organization,
  record: RecordReference,
  { fields, reason }: Correction,
  config: Config,
): Promise<boolean> {
  const published = await store.findSurveyTexts(organization.id, record.id);
  if (published === undefined) return false;
  const entered = parseEntries(fields, [...nameSurveyTexts(published).keys()]);
  const { texts, problems } = await parseSurveyTexts(
    published,
    entered,
    chooseCountry(organization, config),
    mapInSlices,
  );
  assertValid([...problems.values()]);
  return store.correctSurvey(record, texts, reason);
}

/** @returns false if it is not published @throws CommandError for invalid fields */
async function correctRecord(
  store: OpenedStore,
  organization: Organization,
  record: CorrectableReference,
  { fields: given, reason }: Correction,
  config: Config,
): Promise<boolean> {
  const { kind, id } = record;
  const found = await store.findCorrectableRecord(record);
  if (found === undefined) return false;
  const { fields: published, redaction } = found;
  const names = listCorrectableFields(kind).map(({ name }) => name);
  const entered = parseEntries(given, names);
  const { fields, problems } = parseTypedFields(kind, published, entered, organization.timeZone);
  assertValid([...problems.values()]);
  const redactor = createTypedTextRedactor(organization, redaction, config);
  const { signal } = new AbortController();
  const personal = await findPersonalFields(redactor, { kind, id }, published, fields, signal);
  assertValid(personal.map((field) => ({ code: 'personal-data-typed', field })));
  return store.correctRecord(record, fields, reason);
}

/** @throws CommandError */
function assertValid([problem]: readonly Reason[]): void {
  if (problem !== undefined) throw new CommandError(`Nothing was changed: ${describeReason(problem)}.`);
}

/** Decisions on single records: `src/store/record-decisions/` keeps them, so that no import reverts them. */
export const addRecordCommands = defineGroup('record', 'manage single records', [
  defineStoreCommand({
    name: 'unpublish',
    summary: 'withdraw a record from publication',
    description:
      'Removes a record from the published data and, if it is a submission, from agendas. Imports and undos do not publish it again, until "rostra record revert" takes the decision back. While a survey is unpublished, imports do not change it.',
    arguments: recordArguments,
    options: { ...recordOptions, reason },
    readers: ['import'],
    run: async (values, store, config) => {
      const { organization, record } = await resolveRecord(store, values);
      assertImpersonal(values.reason, organization, config);
      if (!(await store.unpublishRecord(record, values.reason)))
        throw notPublished(organization, record.kind, values.id);
      printError(`Unpublished ${record.kind} ${record.id}.`);
    },
  }),
  defineStoreCommand({
    name: 'correct',
    summary: 'correct fields of a record',
    description:
      'Publishes a record with corrected fields, also after later imports. Fields of submissions and sessions have the names of the API. The texts of a survey are title, question1, question2, …: its counts and answer options cannot be corrected, because that would undo the protection of small counts.',
    arguments: {
      ...recordArguments,
      fields: argument('<field=value...>', 'fields with their new values, such as "title=Cycling"'),
    },
    options: { ...recordOptions, reason },
    readers: ['import'],
    run: async (values, store, config) => {
      const { organization, record } = await resolveRecord(store, values);
      assertImpersonal(values.reason, organization, config);
      const { kind } = record;
      const isCorrected =
        kind === 'survey'
          ? await correctSurvey(store, organization, record, values, config)
          : await correctRecord(store, organization, { ...record, kind }, values, config);
      if (!isCorrected) throw notPublished(organization, kind, values.id);
      printError(`Corrected ${record.kind} ${record.id}.`);
    },
  }),
  defineStoreCommand({
    name: 'revert',
    summary: 'take back the decision on a record',
    description:
      'Publishes an unpublished or corrected record as its source last delivered it: a survey with the results that it had, and a record that was corrected before with the correction. A removed record may be imported again.',
    arguments: recordArguments,
    options: recordOptions,
    run: async (values, store) => {
      const { organization, record } = await resolveRecord(store, values);
      const decision = await store.revertRecordDecision(record);
      if (decision === undefined)
        throw new CommandError(
          `${organization.name} has no decision on a ${record.kind} with the id ${values.id}. "rostra record list" lists all.`,
        );
      printError(describeReverted(decision));
    },
  }),
  defineStoreCommand({
    name: 'list',
    summary: 'list the decisions on records',
    description: 'Lists the records that a municipality has unpublished, corrected or removed, newest first.',
    options: { organization, json },
    run: async (flags, store) => {
      const { id } = await requireOrganization(store, flags.organization);
      const { decisions } = await store.listRecordDecisions(id);
      if (flags.json) printJson(decisions.map(({ record: _, correctedRecord: __, ...decision }) => decision));
      else if (decisions.length === 0) print('There are no decisions on records.');
      else printTable(['kind', 'id', 'decision', 'at', 'by', 'reason'], decisions.map(toCells));
    },
  }),
  defineStoreCommand({
    name: 'matches',
    summary: 'list records that equal unpublished or removed ones',
    description:
      'Lists the records of imports that are not published, because they equal an unpublished or removed record: a submission with the same reference number and the same day or text, or without a number with the same text of at least 80 characters on the same day; a session of the same committee at the same day and time; a survey with the same title and questions.',
    options: { organization, json },
    run: async (flags, store) => {
      const { id } = await requireOrganization(store, flags.organization);
      const matches = await store.listRecordMatches(id);
      if (flags.json) printJson(matches);
      else if (matches.length === 0) print('No record of an import equals an unpublished or removed one.');
      else
        printTable(
          ['kind', 'id', 'equals', 'decision', 'source', 'since', 'allowed'],
          matches.map(toMatchCells),
        );
    },
  }),
  defineStoreCommand({
    name: 'allow',
    summary: 'publish a record although it equals an unpublished or removed one',
    description:
      'Lets the next import publish a record that "rostra record matches" lists. Later imports publish it, too.',
    arguments: recordArguments,
    options: recordOptions,
    run: async (values, store) => {
      const { organization, record } = await resolveRecord(store, values);
      if (!(await store.allowRecordMatch(record)))
        throw new CommandError(
          `${organization.name} has no ${values.kind} with the id ${values.id} that waits for this. "rostra record matches" lists all.`,
        );
      printError(`The next import publishes ${record.kind} ${record.id}.`);
    },
  }),
  defineStoreCommand({
    name: 'remove',
    summary: 'remove a record for good, for example by law',
    description:
      'Deletes a record, what the database keeps of it for undos and decisions, and its rejections. Unfinished imports of the municipality with an uploaded file are cancelled, because the file may contain it. No import publishes the record again. Asks for confirmation; without a terminal, --yes is required.',
    arguments: recordArguments,
    options: { ...recordOptions, reason, yes },
    readers: ['import', 'serve'],
    run: async (values, store, config) => {
      const { organization, record } = await resolveRecord(store, values);
      assertImpersonal(values.reason, organization, config);
      const { kind, id } = record;
      if (!values.yes) await confirm('remove', `${kind} ${id} of ${organization.name}`);
      const uploads = createUploadStorage(locateUploads(config), config.maxUpload);
      const removed = await removeRecord(store, uploads, record, { reason: values.reason });
      if (removed === undefined)
        throw new CommandError(`${organization.name} has no ${kind} with the id ${values.id}.`);
      const { removedAt, cancelledImports } = removed;
      printError(`Removed ${kind} ${id}. No import publishes it again.`);
      if (cancelledImports > 0)
        printError(`Cancelled unfinished imports whose files may contain it: ${cancelledImports}.`);
      const fileExpiresAt = await findFileExpiry(store, organization.id, removedAt);
      if (fileExpiresAt !== undefined)
        printError(
          `An import that was running keeps its file, which may contain it, until it ends. If it fails, until ${formatTime(fileExpiresAt)} at the latest.`,
        );
      printError(
        `Backups made up to ${formatTime(removedAt)} still contain it, until they are deleted: "rostra backup --keep" and your other backups decide when.`,
      );
    },
  }),
]);

function describeReverted({ kind, id, decision, isInSource }: RecordDecision): string {
  if (decision === 'removed') return `Imports may publish ${kind} ${id} again.`;
  if (!isInSource)
    return `Took the decision on ${kind} ${id} back. Its source no longer has the record, so it is not published.`;
  return decision === 'corrected'
    ? `Took the correction of ${kind} ${id} back.`
    : `Published ${kind} ${id} again.`;
}

const toMatchCells = ({ kind, id, decidedId, decision, source, matchedAt, allowedAt }: RecordMatch) => [
  kind,
  id,
  decidedId,
  decision,
  source ?? '',
  formatTime(matchedAt),
  allowedAt === null ? 'no' : formatTime(allowedAt),
];

const toCells = ({ kind, id, decision, decidedAt, actor, reason }: RecordDecision) => [
  kind,
  id,
  decision,
  formatTime(decidedAt),
  actor,
  reason,
];
