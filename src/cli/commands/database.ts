import type { Distribution } from '../../store/open.ts';
import { defineGroup, defineStoreCommand, flag, json, settingOption } from '../define-command.ts';
import { printError, printJson } from '../output.ts';

const describeDistribution = ({ tables, nodes }: Distribution) =>
  tables.length === 0
    ? `Published data is distributed already, over ${nodes.join(', ')}.`
    : `Distributed ${tables.join(', ')} over ${nodes.join(', ')}.`;

export const addMigrateCommand = defineStoreCommand({
  name: 'migrate',
  summary: 'update the database schema',
  description:
    'Creates a missing database and updates its schema to this version. Every command that opens the database does this as well. Before the schema of an SQLite database changes, a backup is written beside it.',
  options: {
    databaseOwner: settingOption('databaseOwner'),
    citus: flag('distribute published data over the workers of Citus; needs an empty database'),
    json,
  },
  create: true,
  run: async (flags, { migrations }, config, context) => {
    const distribution = flags.citus && (await context.distributeStore(config));
    if (flags.json) return printJson({ applied: migrations, ...(distribution && { distribution }) });
    printError(migrations.length === 0 ? 'The schema is up to date.' : `Applied ${migrations.join(', ')}.`);
    if (distribution) printError(describeDistribution(distribution));
  },
});

export const addChangeHistoryCommands = defineGroup(
  'change-history',
  'Manages the numbering of the changes at /changes',
  [
    defineStoreCommand({
      name: 'restart',
      summary: 'let all mirrors start anew, after a restore',
      description:
        'Starts a new history of changes in every municipality. Clients that mirror the data start anew with their next request. Run this after a restore of PostgreSQL, or of copied files of SQLite: otherwise mirrors can miss changes. A restored "rostra backup" has a new history already.',
      run: async (_, store) => {
        await store.restartChangeHistory();
        printError('Mirrors of /changes start anew with their next request.');
      },
    }),
  ],
);

export const addCursorSecretCommands = defineGroup(
  'cursor-secret',
  'Manages the secret that signs pagination cursors',
  [
    defineStoreCommand({
      name: 'rotate',
      summary: 'sign cursors with a new secret',
      description:
        'Creates a new secret that signs pagination cursors. Existing cursors stay valid until the next rotation. To invalidate them immediately, rotate twice.',
      run: async (_, store) => {
        await store.rotateCursorSecret();
        printError('A new secret signs cursors. The previous one stays valid until the next rotation.');
      },
    }),
  ],
);
