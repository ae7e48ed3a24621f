import type { Command } from 'commander';
import { listSettings, type SettingName } from '../../config/settings.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { print } from '../output.ts';
import { toReachableHost } from '../reachable-host.ts';
import { createSettingOption } from '../shared-options.ts';

/** `/ready` answers within a second, also if the database does not. */
const timeoutMs = 3_000;

export function addHealthCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('health')
    .summary('check the server on this machine')
    .description(
      'Requests /ready from the server on this machine, for health checks of containers. Ends with 0 if the server and its database are ready, otherwise with 1. Uses the same settings of host and port as the server.',
    );
  for (const name of listSettings('health')) command.addOption(createSettingOption(name));
  command.action(async (flags: Partial<Record<SettingName, string>>) => {
    const { host, port } = context.readConfig(flags, listSettings('health'));
    const url = `http://${toReachableHost(host)}:${port}/ready`;
    try {
      const { status } = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (status === 200) return print('ready');
      throw new CommandError(`${url} returned ${status}.`);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const { cause, message } = error as Error;
      throw new CommandError(`${url} does not respond: ${cause instanceof Error ? cause.message : message}.`);
    }
  });
}
