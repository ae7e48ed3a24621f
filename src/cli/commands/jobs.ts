import type { Command } from 'commander';
import { locateUploads } from '../../config/locate-uploads.ts';
import { jobSettings } from '../../config/settings.ts';
import { runQueuedJobs } from '../../jobs/run-jobs.ts';
import { createUploadStorage } from '../../jobs/upload-storage.ts';
import { abortOnSignal } from '../../process/shutdown-signals.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { printError } from '../output.ts';
import { createSettingOption } from '../shared-options.ts';

export function addJobCommands(program: Command, context: CommandContext): void {
  const jobs = program.command('jobs').description('Runs imports that were started in the admin area');
  jobs
    .command('run')
    .summary('run the waiting steps of imports')
    .description(
      'Runs the waiting steps of imports that were started in the admin area, one after the other, until none is left. The server runs this command itself. After SIGTERM or SIGINT, the current step is queued again.',
    )
    .addOption(createSettingOption('uploadFolder'))
    .addOption(createSettingOption('importTimeout'))
    .addOption(createSettingOption('importMemory'))
    .addOption(createSettingOption('database'))
    .action((flags: DatabaseFlags) =>
      withStore(
        context,
        flags,
        async (store, config) => {
          await context.ownProcess?.limitImport(config.importMemory);
          const { signal, dispose } = abortOnSignal();
          const ended = new AbortController();
          // The channel to the server closes when the server ends.
          const onDisconnect = () => ended.abort();
          process.once('disconnect', onDisconnect);
          try {
            await runQueuedJobs(store, {
              uploads: createUploadStorage(locateUploads(config), config.maxUpload),
              config,
              userAgent: `Rostra/${context.version}`,
              signal: AbortSignal.any([signal, ended.signal]),
              onHeartbeat: () => void process.send?.('heartbeat', () => undefined),
              onProblem: printError,
            });
          } finally {
            process.off('disconnect', onDisconnect);
            if (process.connected) process.disconnect?.();
            dispose();
          }
        },
        { used: [...jobSettings, 'databaseOwner'], isTraced: true },
      ),
    );
}
