/** Where imports are result in: a database, a server that publishes it, and municipalities to import into. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import {
  assertNoStack,
  type Desk,
  type Ended,
  type Municipality,
  newDesk,
  run,
  runProcess,
  succeed,
} from './cli-workspace.ts';
import { storeDefaults } from './database.ts';
import type { Exchange } from './exchange.ts';
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

export interface ImportResult extends Ended {
  /** The counts that `--json` prints; empty where the command printed none. */
  counts: Record<string, number>;
  /** What `--rejected` got, in order. */
  rejections: LoggedRejection[];
}

export interface ImportContentOptions {
  /** `rostra`, when left out. */
  format?: string;
  flags?: string[];
  /** Name of the file that the content is put into. */
  name?: string;
  environment?: Record<string, string>;
  /** In a process of its own, beside which this one goes on. */
  asProcess?: true;
}

export interface ImportHarness {
  workspace: Desk;
  server: Server;
  createMunicipality(): Promise<Municipality>;
  /** Imports a content, as a file, or what lies at paths. */
  importContent(
    into: Municipality,
    content: string | Buffer | string[],
    options?: ImportContentOptions,
  ): Promise<ImportResult>;
  get(as: Municipality, path: string): Promise<Exchange>;
  /** A whole list, walked by its cursors. */
  // biome-ignore lint/suspicious/noExplicitAny: the answers are checked against the OpenAPI document
  listAll(as: Municipality, list: string): Promise<any[]>;
}

export async function createImportHarness(scope: Scope): Promise<ImportHarness> {
  const desk = await newDesk(scope);
  await succeed(desk.on('migrate'));
  // Municipalities and keys are no subject of these tests, so they are made without a process for each.
  const store = await openStore({ ...storeDefaults, database: desk.database, lockTimeoutMs: 30_000 });
  scope.after(() => store.close());
  const server = await startServer(scope, desk.database);
  let files = 0;

  const harness: ImportHarness = {
    workspace: desk,
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
      const paths = Array.isArray(content) ? content : [desk.file(`${files}-${name}`, content)];
      const refused = join(desk.folder, `${files}-rejected.ndjson`);
      const args = ['import', format, ...paths, '--organization', into.id, '--json', '--rejected', refused];
      const start = asProcess ? runProcess : run;
      const ended = await start(desk.on(...args, ...flags), { folder: desk.folder, environment });
      assertNoStack(ended);
      const lines = existsSync(refused) ? readFileSync(refused, 'utf8').split('\n').filter(Boolean) : [];
      const counts = ended.stdout === '' ? {} : JSON.parse(ended.stdout);
      return { ...ended, counts, rejections: lines.map((line) => JSON.parse(line)) };
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

/** Asserts the counts that are named, and that the others but `read` are 0. */
export function assertCounts(result: ImportResult, expected: Record<string, number>): void {
  const { inserted, changed, unchanged, removed, ignored, rejected } = result.counts;
  assert.deepEqual(
    { inserted, changed, unchanged, removed, ignored, rejected },
    { inserted: 0, changed: 0, unchanged: 0, removed: 0, ignored: 0, rejected: 0, ...expected },
    result.stderr,
  );
  const sum = Object.values(expected).reduce((total, count) => total + count, 0);
  assert.equal(result.counts.read, sum, 'the counts add up to what was read');
}
