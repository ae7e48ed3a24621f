import type { Distribution } from '../../../store/open.ts';
import { listSettings } from '../../config/settings.ts';
import { withStore } from '../command-context.ts';
import { database, defineCommand, flag, json, settingOption } from '../define-command.ts';
import { printError, printJson } from '../output.ts';

const describeDistribution = ({ tables, nodes }: Distribution) =>
  tables.length === 0
    ? `Published data is distributed already, over ${nodes.join(', ')}.`
    : `Distributed ${tables.join(', ')} over ${nodes.join(', ')}.`;

/** `src/store/migrate.ts` applies the migrations. */
export const addMigrateCommand = defineCommand({
  name: 'migrate',
  summary: 'update the database schema',
  description:
    'Creates a missing database and updates its schema to this version. Every command that opens the database does this as well. Before the schema of an SQLite database changes, a backup is written beside it.',
  options: {
    databaseOwner: settingOption('databaseOwner'),
    citus: flag('distribute published data over the workers of Citus; needs an empty database'),
    json,
    database,
  },
  run: async (flags, context) => {
    // Before the schema is created, so that a failure changes nothing.
    if (flags.citus) await context.planStoreDistribution(context.readConfig(flags, listSettings('store')));
    await withStore(
      context,
      flags,
      async ({ migrations }, config) => {
        const distribution = flags.citus && (await context.distributeStore(config));
        if (flags.json) return printJson({ applied: migrations, ...(distribution && { distribution }) });
        printError(
          migrations.length === 0 ? 'The schema is up to date.' : `Applied ${migrations.join(', ')}.`,
        );
        if (distribution) printError(describeDistribution(distribution));
      },
      { create: true },
    );
  },
});
