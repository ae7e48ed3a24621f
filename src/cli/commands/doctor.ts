import type { Command } from 'commander';
import { formatInterval, getSourceCondition, type SourceSummary } from '../../domain/import-source.ts';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, print, printJson } from '../output.ts';
import { createJsonOption, createSettingOption } from '../shared-options.ts';

interface Problem {
  check: 'database' | 'source';
  /** English sentence. */
  message: string;
  organizationId?: string;
  organizationName?: string;
  source?: string;
  state?: 'failing' | 'stale';
}

interface Diagnosis {
  /** Name of the last migration; null if the database cannot be opened. */
  schema: string | null;
  problems: Problem[];
}

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('check the database and the sources')
    .description(
      'Checks that the database is readable and writable, and lists sources that fail or are stale. Exits with 1 if there is a problem, for monitoring.',
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action(async (flags: DatabaseFlags & { json?: true }) => {
      const { schema, problems } = await diagnose(context, flags);
      if (flags.json) printJson({ version: context.version, schema, problems });
      else {
        print(`version   ${context.version}`);
        if (schema !== null) print(`schema    ${schema}`);
        for (const { message } of problems) print(`problem   ${message}`);
        if (problems.length === 0) print('No problems found.');
      }
      if (problems.length > 0)
        throw new CommandError(problems.length === 1 ? '1 problem.' : `${problems.length} problems.`);
    });
}

async function diagnose(context: CommandContext, flags: DatabaseFlags): Promise<Diagnosis> {
  try {
    return await withStore(context, flags, async (store) => {
      await store.assertReady();
      const sources = await store.listSourceProblems();
      return { schema: await store.readSchemaName(), problems: sources.map(toProblem) };
    });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError || error instanceof StoreConflictError)) throw error;
    return { schema: null, problems: [{ check: 'database', message: error.message }] };
  }
}

function toProblem(source: SourceSummary): Problem {
  const { organizationId, organizationName, name, failingSince, error } = source;
  const isFailing = failingSince !== null;
  const state = isFailing ? 'failing' : 'stale';
  return {
    check: 'source',
    message: `${organizationName}, ${name}: ${
      isFailing ? `failing since ${formatTime(failingSince)}: ${error}` : describeStale(source)
    }`,
    organizationId,
    organizationName,
    source: name,
    state,
  };
}

function describeStale(source: SourceSummary): string {
  const { lastSuccessAt, intervalMs } = source;
  const last = lastSuccessAt === null ? 'it never succeeded' : `last success ${formatTime(lastSuccessAt)}`;
  const every = intervalMs === null ? '' : `, though it is due every ${formatInterval(intervalMs)}`;
  const hint = getSourceCondition(source, Date.now()) === 'running' ? '' : '. Does "rostra sources run" run?';
  return `stale: ${last}${every}${hint}`;
}
