import assert from 'node:assert/strict';
import { startCli } from '../support/cli-workspace.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import type { Release } from './fill-database.ts';
import type { DatabaseSettings } from './fixture.ts';

/**
 * A version of Rostra on a database, in processes of its own.
 *
 * @param program executable of the version
 */
export function createInstalledRelease(scope: Scope, settings: DatabaseSettings, program: string): Release {
  const environment = { ...settings, ROSTRA_RATE_LIMIT: '1000000' };
  const folder = createTemporaryFolder(scope);
  const start = (args: readonly string[]) => startCli(args, { environment, folder }, program);
  return {
    folder,
    run: async (args, codes = [0]) => {
      const { code, stdout, stderr } = await start(args).result;
      assert.ok(code !== null && codes.includes(code), `${args.join(' ')}: ${stderr}`);
      return stdout.trimEnd();
    },
    serve: async () => {
      const server = start(['serve', '--port', '0', '--log-format', 'json']);
      scope.after(() => void server.child.kill('SIGKILL'));
      const [, address = ''] = await server.waitForOutput(/"address":"(http:\/\/[\d.]+:\d+)"/);
      return {
        address,
        stop: async () => {
          server.child.kill('SIGTERM');
          assert.equal((await server.result).code, 0);
        },
      };
    },
  };
}
