import type { RecordKind } from '../../domain/records.ts';
import { deriveNamespace, deriveRecordId } from '../../import/record-ids.ts';
import { CommandError } from '../command-error.ts';
import { confirm } from '../confirm.ts';
import {
  argument,
  defineGroup,
  defineStoreCommand,
  oneOf,
  option,
  organization,
  yes,
} from '../define-command.ts';
import { requireOrganization } from '../find-organization.ts';
import { printError } from '../output.ts';

const kinds: readonly RecordKind[] = ['submission', 'session', 'survey'];

export const addRecordCommands = defineGroup('record', 'Manages single published records', [
  defineStoreCommand({
    name: 'remove',
    summary: 'remove a published record',
    description:
      'Removes a published record. Submissions are also removed from agendas. Asks for confirmation; without a terminal, --yes is required. The next import that contains the record publishes it again.',
    arguments: {
      kind: oneOf(kinds, argument('<kind>', 'kind of record')),
      id: argument('<id>', 'published id, or id in the source'),
    },
    options: {
      organization,
      source: option('name', 'the --source of the import, if the id is that of the source'),
      yes,
    },
    run: async ({ kind, id, ...flags }, store) => {
      const organization = await requireOrganization(store, flags.organization);
      const published = deriveRecordId(deriveNamespace(organization.id, flags.source), id);
      if (!flags.yes) await confirm('remove', `${kind} ${published} of ${organization.name}`);
      if (!(await store.removeRecord(organization.id, kind, published)))
        throw new CommandError(`${organization.name} has no ${kind} with the id ${id}.`);
      printError(
        `Removed ${kind} ${published}. Remove it from the source as well, or the next import publishes it again.`,
      );
    },
  }),
]);
