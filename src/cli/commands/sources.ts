import type { Command } from 'commander';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { downloadSettings } from '../../config/settings.ts';
import type { StoredSource } from '../../domain/import-source.ts';
import type { Organization } from '../../domain/organization.ts';
import { runDueSources } from '../../jobs/run-due-sources.ts';
import type { SourceRunResult } from '../../jobs/run-source.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { abortOnSignal } from '../../process/shutdown-signals.ts';
import { removeAbandonedDownloads } from '../../sync/download-file.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { print, printError } from '../output.ts';
import {
  createJsonOption,
  createSettingOption,
  parseSourceInterval,
  toOptionParser,
} from '../shared-options.ts';
import { sourceRunSettings } from './source.ts';

interface SourcesRunFlags extends DatabaseFlags {
  concurrency: number;
  /** Milliseconds. */
  maxTime: number;
  json?: true;
}

export function addSourcesCommands(program: Command, context: CommandContext): void {
  const run = program
    .command('sources')
    .description('Runs stored sources on their schedule')
    .command('run')
    .summary('import all sources that are due')
    .description(
      'Imports all sources that are due, in all municipalities. Start it every few minutes. Several processes may run at the same time: each source is imported by one of them, and each municipality has one import at a time.',
    )
    .option(
      '--concurrency <count>',
      'sources at a time',
      toOptionParser(createIntegerParser('a whole number', 1, 64)),
      4,
    )
    .option('--max-time <time>', 'start no source after this time: 30m, 1h', parseSourceInterval, 3_600_000);
  for (const setting of downloadSettings) run.addOption(createSettingOption(setting));
  run
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: SourcesRunFlags) => {
      context.lowerPriority();
      return withStore(
        context,
        flags,
        async (store, config) => {
          await removeAbandonedDownloads();
          const { signal, dispose } = abortOnSignal();
          const summary = createSummary();
          let isComplete: boolean;
          try {
            isComplete = await runDueSources(store, {
              settings: config,
              userAgent: `Rostra/${context.version}`,
              concurrency: flags.concurrency,
              maxDurationMs: flags.maxTime,
              signal,
              onProblem: printError,
              onEnd: (organization, source, result) => {
                summary.add(result);
                printResult(organization, source, result, flags.json);
              },
            });
          } finally {
            dispose();
          }
          printError(summary.describe());
          if (signal.aborted)
            throw new CommandError('Interrupted. The other sources stay due.', exitCodes.interrupted);
          if (!isComplete) printError('The time is over. The other sources stay due.');
          if (summary.failed > 0)
            throw new CommandError(
              `${summary.failed === 1 ? '1 source' : `${summary.failed} sources`} failed. "rostra source list" shows the errors.`,
            );
          if (summary.rejected > 0)
            throw new CommandError(
              'Some records were rejected. "rostra import --history --run ID" lists them.',
              exitCodes.someRejected,
            );
        },
        { used: sourceRunSettings, isTraced: true },
      );
    });
}

function createSummary() {
  const counts = { imported: 0, unchanged: 0, failed: 0, rejected: 0 };
  return {
    add: ({ end, isUnchanged, summary }: SourceRunResult) => {
      if (end === 'failed') counts.failed += 1;
      else if (isUnchanged) counts.unchanged += 1;
      else if (end === 'done') counts.imported += 1;
      if (end === 'done') counts.rejected += summary?.rejected ?? 0;
    },
    describe: () =>
      `${counts.imported} imported, ${counts.unchanged} unchanged, ${counts.failed} failed, ${counts.rejected} records rejected.`,
    get failed() {
      return counts.failed;
    },
    get rejected() {
      return counts.rejected;
    },
  };
}

/** One line for each source. */
function printResult(
  organization: Organization,
  source: StoredSource,
  { end, isUnchanged, summary, failure, runId }: SourceRunResult,
  json: true | undefined,
): void {
  const state = isUnchanged ? 'unchanged' : end;
  if (failure?.unexpected !== undefined) printError(String((failure.unexpected as Error).stack));
  const { redacted: _redacted, personalData, ...counts } = summary ?? {};
  if (json) {
    print(
      JSON.stringify({
        at: new Date().toISOString(),
        organizationId: organization.id,
        organizationName: organization.name,
        source: source.name,
        state,
        runId: runId ?? null,
        error: failure?.message ?? null,
        ...(summary && { counts, personalData }),
      }),
    );
    return;
  }
  const changes = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 ? [] : [`${count} ${name}`],
  );
  const details = failure?.message ?? changes.join(', ');
  print(`${organization.name}, ${source.name}: ${state}${details === '' ? '' : `: ${details}`}`);
}
