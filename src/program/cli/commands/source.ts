import {
  emptySourceDefinition,
  pickDefinition,
  type SourceDefinition,
  type StoredSource,
} from '../../../domain/sources/import-source.ts';
import type { EncryptedPortalKey } from '../../../domain/sources/portal-key-encryption.ts';
import { encryptKeyOfSource } from '../../../ingest/connectors/portal-keys-of-sources.ts';
import { checkSourceDefinition } from '../../../ingest/runs/check-source-definition.ts';
import { readKeyFile } from '../../../platform/key-file.ts';
import type { OpenedStore } from '../../../store/open.ts';
import type { Config } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError, failOnInputError } from '../command-error.ts';
import { getStreams } from '../command-streams.ts';
import {
  argument,
  defineGroup,
  defineStoreCommand,
  ifMissing,
  json,
  option,
  organization,
  organizationFilter,
  required,
} from '../define-command.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import { createListParser } from '../options/edit-options.ts';
import { formatTime, print, printError, printJson, printTable } from '../output.ts';
import { formatSourceRow, printSource, toSourceJson, toSummaryJson } from '../sources/print-source.ts';
import { requireSource } from '../sources/require-source.ts';
import { applyFlags, clearableFields, clearKey, sourceOptions } from '../sources/source-flags.ts';
import { toRunJson } from './import-history.ts';
import { runSources, workOnSources } from './source-run.ts';
import { undoSource } from './source-undo.ts';

const keyFile = option(
  'file',
  'file that contains the key (token) of the data portal; - reads it from standard input',
);

/** @returns undefined without the option @throws InputError */
async function readPortalKey(
  flags: { keyFile?: string | undefined },
  organizationId: string,
  definition: SourceDefinition,
  config: Config,
): Promise<EncryptedPortalKey | undefined> {
  if (flags.keyFile === undefined) return undefined;
  const key = await readKeyFile(flags.keyFile, getStreams().stdin, printError).catch((error: Error) => {
    throw new CommandError(error.message, exitCodes.usage);
  });
  return encryptKeyOfSource(key, organizationId, definition, config);
}

/** @param portalKey null removes it; undefined: it stays. @returns the source with it */
async function storeKey(
  store: OpenedStore,
  source: StoredSource,
  portalKey: EncryptedPortalKey | null | undefined,
): Promise<StoredSource> {
  if (portalKey === undefined) return source;
  await store.setPortalKey(source, portalKey);
  return (await store.findSource(source)) ?? source;
}

export const addSourceCommands = defineGroup(
  'source',
  'manage stored sources: the format, the mapping, the redaction and the schedule of imports',
  [
    defineStoreCommand({
      name: 'add',
      summary: 'store a source',
      description:
        'Stores how the data of a source is imported, so that "rostra source run" needs only its name. Files that options name are stored with their content.',
      arguments: {
        name: argument(
          '<name>',
          'unique name in the municipality; records imported with this --source belong to it',
        ),
      },
      options: {
        organization,
        format: required(option('format', 'format, as "rostra import --help" lists it')),
        ifMissing: ifMissing('the municipality has a source with this name'),
        ...sourceOptions,
        keyFile,
        json,
      },
      readers: ['import'],
      run: async ({ name, ...flags }, store, config) => {
        const { id, name: organization } = await requireOrganization(store, flags.organization);
        const existing = flags.ifMissing && (await store.findSource({ organizationId: id, name }));
        if (existing) {
          if (flags.json) return printJson(toSourceJson(existing));
          return printError(`${organization} has a source ${name} already. Nothing changed.`);
        }
        const added = await failOnInputError(async () => {
          const definition = applyFlags({ ...emptySourceDefinition, name, format: flags.format }, flags);
          const checked = await checkSourceDefinition(definition, config);
          const portalKey = await readPortalKey(flags, id, checked, config);
          return storeKey(store, await store.addSource(id, checked), portalKey);
        }, exitCodes.usage);
        if (flags.json) return printJson(toSourceJson(added));
        const next = added.url === null ? ` FILE` : '';
        printError(
          `Added ${name}. Next: rostra source run "${name}"${next} --organization "${organization}" --dry-run`,
        );
      },
    }),

    defineStoreCommand({
      name: 'list',
      summary: 'list the sources',
      description: 'Lists the sources with the results of their last runs.',
      options: { organization: organizationFilter, json },
      run: async (flags, store) => {
        const organization = await findOptionalOrganization(store, flags.organization);
        const sources = await store.listSources(organization?.id);
        if (flags.json) return printJson(sources.map(toSummaryJson));
        return printTable(
          ['ORGANIZATION', 'SOURCE', 'FORMAT', 'EVERY', 'STATE', 'LAST SUCCESS', 'NEXT', 'LAST ERROR'],
          sources.map(formatSourceRow),
        );
      },
    }),

    defineStoreCommand({
      name: 'show',
      summary: 'show a source',
      description: 'Prints the definition of a source, its state and its last runs.',
      arguments: { name: argument('<name>', 'name of the source') },
      options: { organization, json },
      run: async ({ name, ...flags }, store) => {
        const found = await requireSource(store, name, flags.organization);
        const runs = await store.listImportRunsOfSource(found.organizationId, found, maxShownRuns);
        if (flags.json) return printJson({ ...toSourceJson(found), runs: runs.map(toRunJson) });
        printSource(found);
        if (runs.length === 0) return;
        print('');
        printTable(
          ['RUN', 'STARTED', 'STATE', 'READ', 'INSERTED', 'CHANGED', 'REMOVED', 'REJECTED'],
          runs.map(({ id, startedAt, state, read, inserted, changed, removed, rejected }) => [
            id,
            formatTime(startedAt),
            state,
            ...[read, inserted, changed, removed, rejected].map(String),
          ]),
        );
      },
    }),

    defineStoreCommand({
      name: 'edit',
      summary: 'change a source',
      description:
        'Changes the definition of a source. Other options than the given ones stay as they are. The format cannot be changed.',
      arguments: { name: argument('<name>', 'name of the source') },
      options: {
        organization,
        clear: option(
          'options',
          'remove these options, separated by commas',
          createListParser(clearableFields),
        ),
        ...sourceOptions,
        keyFile,
        json,
      },
      readers: ['import'],
      run: async ({ name, ...flags }, store, config) => {
        const before = await requireSource(store, name, flags.organization);
        const { definition, portalKey } = await failOnInputError(async () => {
          const cleared = (flags.clear ?? []).reduce((one, clear) => clear(one), pickDefinition(before));
          const checked = await checkSourceDefinition(applyFlags(cleared, flags), config);
          const removed = flags.clear?.includes(clearKey) ? null : undefined;
          const read = await readPortalKey(flags, before.organizationId, checked, config);
          return { definition: checked, portalKey: read ?? removed };
        }, exitCodes.usage);
        const { name: _, format, ...changes } = definition;
        const changed = await store.editSource(before, changes);
        if (changed === undefined) throw new CommandError('The source was removed meanwhile.');
        const edited = await storeKey(store, changed, portalKey);
        if (flags.json) return printJson(toSourceJson(edited));
        printError(`Changed ${name}.`);
      },
    }),

    runSources,
    workOnSources,
    undoSource,

    defineStoreCommand({
      name: 'remove',
      summary: 'remove a source',
      description: 'Removes the definition and the schedule of a source. Records published from it stay.',
      arguments: { name: argument('<name>', 'name of the source') },
      options: { organization },
      run: async ({ name, ...flags }, store) => {
        const found = await requireSource(store, name, flags.organization);
        await store.removeSource(found);
        printError(`Removed ${name}. Records published from it stay.`);
      },
    }),
  ],
);

const maxShownRuns = 5;
