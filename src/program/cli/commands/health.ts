import { listSettings } from '../../config/settings.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand, settingOption } from '../define-command.ts';
import { fetchText } from '../fetch-text.ts';
import { print } from '../output.ts';
import { toReachableHost } from '../reachable-host.ts';

/** `/ready` answers within a second, also if the database does not. */
const timeoutMs = 3_000;

export const addHealthCommand = defineCommand({
  name: 'health',
  summary: 'check the server on this machine',
  description:
    'Requests /ready from the server on this machine, for health checks of containers. Ends with 0 if the server and its database are ready, otherwise with 1. Uses the same settings of host and port as the server.',
  options: { host: settingOption('host'), port: settingOption('port') },
  run: async (flags, context) => {
    const { host, port } = context.readConfig(flags, listSettings('health'));
    const url = `http://${toReachableHost(host)}:${port}/ready`;
    const { status } = await fetchText(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(
      ({ message }: Error) => {
        throw new CommandError(`${url} does not respond: ${message}.`);
      },
    );
    if (status !== 200) throw new CommandError(`${url} returned ${status}.`);
    print('ready');
  },
});
