/** Imports as the admin area queues them, without its pages. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { QueuedRun, RunInput } from '../../src/domain/runs/run-queue.ts';
import type { SourceDefinition } from '../../src/domain/sources/import-source.ts';
import { createUploadStorage } from '../../src/ingest/runs/upload-storage.ts';
import { assertSucceeds } from './cli-workspace.ts';
import { createTemporaryFolder, type Scope } from './files.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { waitUntil } from './wait-until.ts';

export const lisa = { name: 'lisa@stadt.example', address: '192.0.2.7' };

export const definition: SourceDefinition = {
  name: 'Mängelmelder',
  format: 'table',
  url: null,
  intervalMs: null,
  options: {
    mapping: [
      'submission:',
      '  id: Nummer',
      '  description: Text',
      '  status: { column: Stand, values: { offen: received, erledigt: completed } }',
      '  createdAt: { column: Datum, date: DD.MM.YYYY }',
    ].join('\n'),
  },
  timeZone: null,
  redaction: { kinds: ['email'], country: 'DE', patterns: {} },
  maxDeletedPercent: null,
  locations: null,
};

/** A file that fits the definition. */
export const composeTable = (rows: number, from = 1) =>
  [
    'Nummer,Text,Stand,Datum',
    ...Array.from(
      { length: rows },
      (_, index) =>
        `${index + from},Laterne ${index + from} ist defekt (max@stadt.example),${index % 3 === 0 ? 'offen' : 'erledigt'},0${(index % 9) + 1}.03.2026`,
    ),
  ].join('\n');

const fileName = 'Export.csv';
const fastImports = new URL('fast-imports.ts', import.meta.url);
const heldImports = new URL('held-imports.ts', import.meta.url);

export interface RunBench {
  fixture: Fixture;
  /** Upload folder. */
  folder: string;
  /** Settings and short intervals for servers and other processes. */
  environment: Record<string, string>;
  /** Stores a file and queues its detection. */
  upload(
    content: string | Buffer,
    organizationId?: string,
    source?: SourceDefinition | null,
  ): Promise<QueuedRun>;
  /** Queues the detection of the file at an address. */
  addAddress(url: string, source?: SourceDefinition | null): Promise<QueuedRun>;
  find(run: QueuedRun): Promise<QueuedRun>;
  /**
   * Holds processes with the environment of the bench: before they read an input, or after they have published the first
   * record.
   *
   * @returns a function that ends the hold before inputs
   */
  hold(until: 'input' | 'first record'): () => void;
  /** Runs the waiting steps in this process. */
  runQueue(settings?: Record<string, string>): Promise<string>;
  /** Waits for the end of the step. */
  settle(run: QueuedRun, step: QueuedRun['step']): Promise<QueuedRun>;
  /** Imports a file with the definition in this process. */
  importFile(content: string): Promise<QueuedRun>;
}

export async function createRunBench(scope: Scope): Promise<RunBench> {
  const fixture = await createFixture(scope);
  const { store } = fixture;
  const folder = join(createTemporaryFolder(scope), 'uploads');
  const uploads = createUploadStorage(folder, 1e9);
  const holdFile = join(createTemporaryFolder(scope), 'hold');
  const find = async ({ organizationId, id }: QueuedRun) =>
    (await store.findQueuedRun(organizationId, id)) as QueuedRun;
  const add = (
    key: { organizationId: string; id: string },
    input: RunInput,
    source: SourceDefinition | null,
  ) => store.queueRun({ ...key, sourceName: null, input, definition: source }, lisa);
  const upload: RunBench['upload'] = async (content, organizationId = fixture.a, source = null) => {
    const key = { organizationId, id: randomUUID() };
    const chunks = Readable.from([Buffer.from(content)]);
    const { bytes } = await uploads.save(key, `C:\\${fileName}`, chunks, undefined, []);
    return add(key, { kind: 'upload', fileName, bytes }, source);
  };
  const runQueue = (settings: Record<string, string> = {}) =>
    assertSucceeds(['source', 'work', '--database', fixture.database], {
      environment: { ROSTRA_UPLOAD_FOLDER: folder, ...settings },
    });
  return {
    fixture,
    folder,
    environment: {
      ROSTRA_UPLOAD_FOLDER: folder,
      // `fast-imports.ts` shortens waits of a minute, which servers of tests usually have to stop.
      ROSTRA_STOP_TIMEOUT: '30',
      NODE_OPTIONS: [fastImports, `${heldImports}?hold=${encodeURIComponent(holdFile)}`]
        .map((file) => `--import ${file}`)
        .join(' '),
    },
    upload,
    addAddress: (url, source = null) =>
      add({ organizationId: fixture.a, id: randomUUID() }, { kind: 'address', url }, source),
    find,
    hold: (until) => {
      writeFileSync(holdFile, until === 'input' ? fileName : 'spool.ndjson');
      return () => rmSync(holdFile);
    },
    runQueue,
    settle: async (run, step) => {
      await waitUntil(`the end of ${step}`, async () => {
        const { step: current, state } = await find(run);
        return current === step && ['done', 'failed', 'cancelled'].includes(state);
      });
      return find(run);
    },
    importFile: async (content) => {
      const run = await upload(content, undefined, definition);
      await runQueue();
      await store.queueImportStep(run, 'import', undefined, lisa);
      await runQueue();
      return find(run);
    },
  };
}
