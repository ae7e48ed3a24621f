/** A database with a server and municipalities, to import into and to read the published records. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import type { ApiResponse } from './api-client.ts';
import {
  assertNoStack,
  type CliWorkspace,
  type CommandResult,
  createCliWorkspace,
  type Municipality,
  runCli,
  runCliProcess,
} from './cli-workspace.ts';
import { storeDefaults } from './database.ts';
import type { Scope } from './files.ts';
import { issueKey } from './fixture.ts';
import { type Server, startServer } from './server.ts';

export interface LoggedRejection {
  source: string;
  line?: number;
  entry?: number;
  id?: string;
  reason: string;
}

export interface ImportResult extends CommandResult {
  /** The output of `--json`; empty if the command failed. */
  counts: Record<string, number>;
  /** The records in the file of `--rejected`, in order. */
  rejections: LoggedRejection[];
}

export interface ImportContentOptions {
  /** Default: `rostra`. */
  format?: string;
  flags?: string[];
  /** Name of the file with the content. */
  name?: string;
  environment?: Record<string, string>;
  /** Runs the command in its own process, so that it does not block this one. */
  asProcess?: true;
}

export interface ImportHarness {
  workspace: CliWorkspace;
  /** A store on the same database. */
  store: Store;
  server: Server;
  createMunicipality(): Promise<Municipality>;
  /** @param content content of a file, or paths */
  importContent(
    into: Municipality,
    content: string | Buffer | string[],
    options?: ImportContentOptions,
  ): Promise<ImportResult>;
  get(as: Municipality, path: string): Promise<ApiResponse>;
  /** Reads all pages of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: responses are validated with the OpenAPI document
  listAll(as: Municipality, list: string): Promise<any[]>;
}

export async function createImportHarness(scope: Scope): Promise<ImportHarness> {
  const workspace = await createCliWorkspace(scope);
  // Creates the schema, municipalities and keys without commands, which is faster.
  const store = await openStore({ ...storeDefaults, database: workspace.database, lockTimeoutMs: 30_000 });
  scope.after(() => store.close());
  const server = await startServer(scope, workspace.database);
  let files = 0;

  const harness: ImportHarness = {
    workspace,
    store,
    server,
    createMunicipality: async () => {
      const { id, name } = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
      const { secret: key } = await issueKey(store, id, { name: 'Test' });
      return { id, name, key };
    },
    importContent: async (
      into,
      content,
      { format = 'rostra', flags = [], name = 'records.ndjson', environment = {}, asProcess } = {},
    ) => {
      files += 1;
      const paths = Array.isArray(content) ? content : [workspace.writeFile(`${files}-${name}`, content)];
      const rejectedFile = join(workspace.folder, `${files}-rejected.ndjson`);
      const args = [
        'import',
        format,
        ...paths,
        '--organization',
        into.id,
        '--json',
        '--rejected',
        rejectedFile,
      ];
      const start = asProcess ? runCliProcess : runCli;
      const result = await start(workspace.withDatabase(...args, ...flags), {
        folder: workspace.folder,
        environment,
      });
      assertNoStack(result);
      const lines = existsSync(rejectedFile)
        ? readFileSync(rejectedFile, 'utf8').split('\n').filter(Boolean)
        : [];
      const counts = result.stdout === '' ? {} : JSON.parse(result.stdout);
      return { ...result, counts, rejections: lines.map((line) => JSON.parse(line)) };
    },
    get: (as, path) => server.get(path, { key: as.key }),
    listAll: async (as, list) => {
      const items = [];
      for (let cursor = ''; ; ) {
        const { status, json } = await server.get(`${list}?limit=100${cursor}`, { key: as.key });
        assert.equal(status, 200);
        items.push(...json.data);
        if (!json.pagination.has_more) return items;
        cursor = `&cursor=${json.pagination.next_cursor}`;
      }
    },
  };
  return harness;
}

/** @returns the descriptions of submissions whose reference numbers are numbers, in their order */
export async function listDescriptions(harness: ImportHarness, town: Municipality): Promise<string[]> {
  const published: { referenceNumber: string; description: string }[] = await harness.listAll(
    town,
    '/submissions',
  );
  return published
    .toSorted((a, b) => Number(a.referenceNumber) - Number(b.referenceNumber))
    .map(({ description }) => description);
}

/** Asserts these counts, that the others are 0, and that `read` is their sum. */
export function assertCounts(result: ImportResult, expected: Record<string, number>): void {
  const { inserted, changed, unchanged, removed, ignored, rejected } = result.counts;
  assert.deepEqual(
    { inserted, changed, unchanged, removed, ignored, rejected },
    { inserted: 0, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0, ...expected },
    result.stderr,
  );
  const sum = Object.values(expected).reduce((total, count) => total + count, 0);
  assert.equal(result.counts.read, sum, 'the counts add up to `read`');
}
