/** Processes that read foreign files for a server or for a schedule: what they may know, and what they may use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../../../platform/assets.ts';
import type { SettingFlags } from '../../config/read-config.ts';
import { listSettings, toEnvironmentName } from '../../config/settings.ts';

/** Beside the settings: where programs, certificates and temporary files are, and how Node.js and `pg` are configured. */
const passedVariables = /^(OTEL_\w+|PATH|HOME|TMPDIR|TZ|LANG|LC_\w+|NODE_\w+|SSL_CERT_\w+|PG\w+)$/;

/**
 * Starts a process with a channel for messages. An import reads files of strangers, so its process has no secrets that it
 * does not need.
 *
 * @param flags of the command that starts it: the process has the same settings
 * @param variables settings of the environment and of the configuration file
 */
export function startImportProcess(
  args: readonly string[],
  flags: SettingFlags,
  variables: NodeJS.ProcessEnv,
): ChildProcess {
  const inherited = Object.entries({ ...process.env, ...variables }).filter(([name]) =>
    passedVariables.test(name),
  );
  const given = listSettings('import').flatMap((name) => {
    const variable = toEnvironmentName(name);
    const file = `${variable}_FILE`;
    if (flags[name] !== undefined) return [[variable, flags[name]]];
    return [
      [variable, variables[variable]],
      [file, variables[file]],
    ];
  });
  // Nothing of a process that was killed stays.
  const temporary = mkdtempSync(join(tmpdir(), 'rostra-import-'));
  const settings = [...inherited, ...given, ['TMPDIR', temporary]].filter(([, value]) => value !== undefined);
  const child = spawn(process.execPath, [...programArguments, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: Object.fromEntries(settings),
  });
  return child.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
}
