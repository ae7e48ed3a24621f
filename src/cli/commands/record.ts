import {
  decidableKinds,
  maxDecisionReasonLength,
  type RecordDecision,
} from '../../domain/record-decision.ts';
import type { RecordKind } from '../../domain/records.ts';
import { deriveNamespace, deriveRecordId } from '../../import/record-ids.ts';
import type { OpenedStore } from '../../store/open.ts';
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
import { createLineParser } from '../option-parsers.ts';
import { formatTime, print, printError, printJson, printTable } from '../output.ts';

const kinds: readonly RecordKind[] = ['submission', 'session', 'survey'];

const recordId = argument('<id>', 'published id, or id in the source');
const decidableArguments = {
  kind: oneOf(decidableKinds, argument('<kind>', 'kind of record')),
  id: recordId,
};
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

export const addRecordCommands = defineGroup('record', 'Manages single records', [
  defineStoreCommand({
    name: 'unpublish',
    summary: 'withdraw a record from publication',
    description:
      'Removes a record from the published data and, if it is a submission, from agendas. Imports and undos do not publish it again, until "rostra record revert" takes the decision back.',
    arguments: decidableArguments,
    options: { ...recordOptions, reason },
    run: async (values, store) => {
      const { organization, record } = await resolveRecord(store, values);
      if (!(await store.unpublishRecord(record, values.reason)))
        throw new CommandError(
          `${organization.name} has no published ${record.kind} with the id ${values.id}. "rostra record list" lists unpublished records.`,
        );
      printError(`Unpublished ${record.kind} ${record.id}.`);
    },
  }),
  defineStoreCommand({
    name: 'revert',
    summary: 'take back the decision on a record',
    description: 'Publishes an unpublished record again, as its source last delivered it.',
    arguments: decidableArguments,
    options: recordOptions,
    run: async (values, store) => {
      const { organization, record } = await resolveRecord(store, values);
      const decision = await store.revertRecordDecision(record);
      if (decision === undefined)
        throw new CommandError(
          `${organization.name} has no decision on a ${record.kind} with the id ${values.id}. "rostra record list" lists all.`,
        );
      printError(
        decision.isInSource
          ? `Published ${record.kind} ${record.id} again.`
          : `Took the decision on ${record.kind} ${record.id} back. Its source no longer has the record, so it is not published.`,
      );
    },
  }),
  defineStoreCommand({
    name: 'list',
    summary: 'list the decisions on records',
    description: 'Lists the records of a municipality that an administrator has unpublished, newest first.',
    options: { organization, json },
    run: async (flags, store) => {
      const { id } = await requireOrganization(store, flags.organization);
      const decisions = await store.listRecordDecisions(id);
      if (flags.json) printJson(decisions);
      else if (decisions.length === 0) print('There are no decisions on records.');
      else printTable(['kind', 'id', 'decision', 'at', 'by', 'reason'], decisions.map(toCells));
    },
  }),
  defineStoreCommand({
    name: 'remove',
    summary: 'remove a published record',
    description:
      'Removes a published record. Submissions are also removed from agendas. Asks for confirmation; without a terminal, --yes is required. The next import that contains the record publishes it again: use "rostra record unpublish" to prevent that.',
    arguments: { kind: oneOf(kinds, argument('<kind>', 'kind of record')), id: recordId },
    options: { ...recordOptions, yes },
    run: async (values, store) => {
      const { organization, record } = await resolveRecord(store, values);
      const { organizationId, kind, id } = record;
      if (!values.yes) await confirm('remove', `${kind} ${id} of ${organization.name}`);
      if (!(await store.removeRecord(organizationId, kind, id)))
        throw new CommandError(`${organization.name} has no ${kind} with the id ${values.id}.`);
      printError(
        `Removed ${kind} ${id}. Remove it from the source as well, or the next import publishes it again.`,
      );
    },
  }),
]);

const toCells = ({ kind, id, decision, decidedAt, actor, reason }: RecordDecision) => [
  kind,
  id,
  decision,
  formatTime(decidedAt),
  actor,
  reason,
];
