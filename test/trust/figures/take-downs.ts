import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { operations } from '../../../src/contract/operations.ts';
import type { RecordKind, RecordWrite } from '../../../src/domain/records/records.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import type { Fixture } from '../../support/fixture.ts';
import { createSignedInClient, fetchCsrfToken } from '../../support/form-client.ts';
import { sendRequest } from '../../support/http-client.ts';
import { fillOpenAddress, listOpenAddresses } from '../../support/open-addresses.ts';
import { composeRawRequest } from '../../support/raw-socket.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../../support/records.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, getCount, raise, type Tally } from '../tally.ts';

const slug = 'musterstadt';
const committee = 'Gemeinderat';
const loadClients = 4;
const pollMs = 50;
const maxMs = 5_000;

/** Together larger than the buffers of a connection, so that a client that does not read holds up its download. */
const largeTexts = 55;
const largeText = 'Text '.repeat(18_000);

const lists = { submission: 'submissions', session: 'sessions', survey: 'surveys' } as const;
const kinds = Object.keys(lists) as RecordKind[];

interface Case {
  kind: RecordKind;
  id: string;
  /** In all texts of the record. */
  marker: string;
  records: RecordWrite[];
}

/** A record that all lists, feeds and calendars of its kind have. */
function createCase(number: number): Case {
  const kind = kinds[number % kinds.length] as RecordKind;
  const marker = `removed-${number}-x`;
  const now = new Date().toISOString();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const n = 10_000 + number;
  const documents = [{ title: marker, url: `https://files.example/${marker}`, mediaType: null }];
  if (kind === 'survey') {
    const options = [{ optionText: marker, responseCount: 40 }];
    const questions = [{ questionText: marker, questionType: 'single_choice', options }];
    const survey = { surveyId: formatSurveyId(n), title: marker, status: 'closed', totalResponses: 40 };
    return { kind, id: survey.surveyId, marker, records: [{ kind, ...survey, questions }] };
  }
  if (kind === 'session') {
    const fields = {
      date: tomorrow,
      committeeName: marker,
      title: marker,
      documents,
      submissions: [formatSubmissionId(1)],
    };
    const session = createSession(n, { ...fields, timeSlot: '18:00' });
    return { kind, id: session.id, marker, records: [{ kind, ...session }] };
  }
  const texts = { description: marker, title: marker, referenceNumber: marker, topicCategoryName: marker };
  const submission = createSubmission(n, {
    ...texts,
    status: 'accepted',
    createdAt: `${now.slice(0, 10)}T00:00:00.000Z`,
    statusChangedAt: now,
    documents,
    location: { type: 'Point', coordinates: [8.4, 49] },
    supportCount: 1_000_000 + number,
  });
  const session = createSession(2, {
    committeeName: committee,
    date: tomorrow,
    submissions: [submission.id],
  });
  return {
    kind,
    id: submission.id,
    marker,
    records: [
      { kind, ...submission },
      { kind: 'session', ...session },
    ],
  };
}

/** Paths of open data and of the API, with the texts by which a response has the record. */
function listPaths(addresses: readonly string[], { kind, id, marker }: Case) {
  const ids = {
    submissions: formatSubmissionId(1),
    sessions: formatSessionId(1),
    surveys: formatSurveyId(1),
  };
  const values = { slug, ids: { ...ids, [lists[kind]]: id } };
  return [
    ...addresses.flatMap((address) =>
      [committee, ...(kind === 'session' && address.includes('{committee}') ? [marker] : [])].map((name) => ({
        address,
        path: fillOpenAddress(address, { ...values, committee: name }),
        texts: [marker, id],
      })),
    ),
    // `/changes` names the id of a removed record.
    ...Object.values(operations).map(({ path }) => ({
      address: path,
      path: `/api/v1${path.replace('{id}', id)}`,
      texts: [marker],
    })),
  ];
}

type CheckedPath = ReturnType<typeof listPaths>[number];

async function hasRecord(port: number, key: string, { path, texts }: CheckedPath): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    const options = path.startsWith('/api') ? { key } : {};
    const { status, text } = await sendRequest(port, path, options);
    // A file that is being built.
    if (status === 503 && attempt < 20) {
      await setTimeout(pollMs);
      continue;
    }
    if (status !== 200 && status !== 400 && status !== 404) throw new Error(`${path} returned ${status}`);
    return texts.some((each) => text.includes(each));
  }
}

/** Whether a file in the folder has the record. */
function isOnDisk(folder: string, { marker, id }: Case): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.partial'))
    .some((entry) => {
      try {
        const content = readFileSync(join(entry.parentPath, entry.name));
        const plain = entry.name.endsWith('.gz') ? gunzipSync(content) : content;
        return plain.includes(marker) || plain.includes(id);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    });
}

/**
 * Starts a download, and reads no more than the beginning of its header: the more a client has read, the more the operating
 * system buffers for it, up to a whole file.
 *
 * @returns a function that reads the rest, and returns whether it was complete
 */
async function startSlowDownload(port: number, path: string): Promise<() => Promise<boolean>> {
  const received: Buffer[] = [];
  const begun = Promise.withResolvers<void>();
  let isReading = false;
  const readPart = (bytes: number, buffer: Uint8Array) => {
    received.push(Buffer.from(buffer.subarray(0, bytes)));
    begun.resolve();
    return isReading;
  };
  const socket = connect({
    host: '127.0.0.1',
    port,
    onread: { buffer: () => Buffer.allocUnsafe(isReading ? 65_536 : 16), callback: readPart },
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const rejectEnd = () => begun.reject(new Error(`The server closed the connection before ${path} began`));
  socket.on('error', begun.reject).on('close', rejectEnd);
  socket.write(composeRawRequest(path, ['Connection: close']), 'latin1');
  await begun.promise;
  return async () => {
    isReading = true;
    socket.resume();
    await closed;
    const response = Buffer.concat(received);
    const headEnd = response.indexOf('\r\n\r\n');
    const bytes = /^HTTP\/1\.1 200 .*^content-length: (\d+)/ims.exec(
      response.toString('latin1', 0, headEnd),
    )?.[1];
    if (bytes === undefined) throw new Error(`${path} has no length`);
    return response.length === headEnd + 4 + Number(bytes);
  };
}

interface Instance {
  server: ServerProcess;
  folder: string;
}

async function createMunicipality({ store, a, putRecords }: Fixture): Promise<void> {
  await store.editOrganization(a, { slug, licenseName: 'CC0-1.0', openData: 'on', locationDecimals: '3' });
  await putRecords(
    a,
    Array.from({ length: largeTexts }, (_, n) => ({
      kind: 'submission' as const,
      ...createSubmission(1_000 + n, { description: largeText, createdAt: '2020-01-01T00:00:00.000Z' }),
    })),
  );
}

async function start({ createFixture, startServer, scope, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  await createMunicipality(fixture);
  const addresses = listOpenAddresses(fixture.store);
  const startInstance = async (): Promise<Instance> => {
    const folder = createTemporaryFolder(scope);
    const server = await startServer(fixture.database, {
      ROSTRA_OPEN_DATA_FOLDER: folder,
      ROSTRA_OPEN_DATA_RATE_LIMIT: '1000000000',
      ROSTRA_PUBLIC_URL: 'https://api.example',
    });
    return { server, folder };
  };
  const instances = await Promise.all([startInstance(), startInstance(), startInstance()]);
  // Nobody asks the last one during a removal.
  const [busy, idle] = [instances.slice(0, 2), instances[2] as Instance];

  async function countAddresses(of: readonly Instance[], paths: readonly CheckedPath[], name: string) {
    for (const { server } of of)
      for (const checked of paths) {
        add(tally, 'responses');
        if (await hasRecord(server.port, fixture.alice, checked)) add(tally, `${name} ${checked.address}`);
      }
  }

  async function measureOne(number: number): Promise<void> {
    const removed = createCase(number);
    await fixture.putRecords(fixture.a, removed.records);
    const paths = listPaths(addresses, removed);
    await countAddresses(instances, paths, 'before');
    for (const { folder } of instances) if (isOnDisk(folder, removed)) add(tally, 'on disk before');
    const finishDownload = await startSlowDownload(idle.server.port, `/open/${slug}/submissions.ndjson`);
    const load = startLoad(busy, fixture.alice, paths, tally);

    const client = await createSignedInClient(idle.server, fixture.store, fixture.a);
    const token = await fetchCsrfToken(client);
    const startMs = performance.now();
    const form = `/admin/organizations/${fixture.a}/data/${lists[removed.kind]}/${removed.id}/remove`;
    const { status, body } = await client.post(form, { token, reason: 'Request for erasure' });
    if (status !== 303) throw new Error(`the removal returned ${status}: ${body.slice(0, 300)}`);
    load.expectRemoved();
    while (instances.some(({ folder }) => isOnDisk(folder, removed))) {
      if (performance.now() - startMs > 2 * maxMs) break;
      await setTimeout(pollMs);
    }
    raise(tally, 'ms', performance.now() - startMs);
    await setTimeout(Math.max(0, startMs + maxMs - performance.now()));
    if (await finishDownload()) fail(tally, 'a download of the earlier file was completed');
    else add(tally, 'downloads ended');
    await load.stop();
    await countAddresses(instances, paths, 'after');
  }

  return {
    measure: async (first, count) => {
      for (let number = first; number < first + count; number += 1) await measureOne(number);
    },
    finish: async () => {
      for (const address of addresses.filter((each) => !withoutRecords.test(each)))
        if (getCount(tally, `before ${address}`) === 0) fail(tally, `${address} has never had a record`);
    },
  };
}

/** The descriptions of the data, and the numbers of the map. */
const withoutRecords = /catalog|datapackage|downloads$|map\.json$/;

/** Clients that read all paths, without a pause. */
function startLoad(
  instances: readonly Instance[],
  key: string,
  paths: readonly CheckedPath[],
  tally: Tally,
): { expectRemoved(): void; stop(): Promise<void> } {
  let isRemoved = false;
  let isStopped = false;
  const run = async ({ server }: Instance, first: number) => {
    for (let index = first; !isStopped; index += 1) {
      const isLate = isRemoved;
      const checked = paths[index % paths.length] as CheckedPath;
      const has = await hasRecord(server.port, key, checked).catch((error) => {
        // The removal ends downloads that have begun before it.
        if (isLate || error.message !== 'aborted') throw error;
        return false;
      });
      add(tally, isLate ? 'late responses' : 'early responses');
      if (isLate && has)
        fail(tally, `${checked.path} has the record in a request that began after its removal`);
    }
  };
  const running = Promise.all(
    instances.flatMap((instance) =>
      Array.from({ length: loadClients }, (_, client) =>
        run(instance, Math.floor((client * paths.length) / loadClients)),
      ),
    ),
  );
  running.catch(() => undefined);
  return {
    expectRemoved: () => {
      isRemoved = true;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

export const takeDowns: Figure = {
  number: 26,
  promise:
    'A record that is removed for good is in no response of three instances under load that begins later: pages, files, feeds, calendars and catalogues of open data, and all operations of the API. Within 5 seconds, it is on no disk of theirs, and downloads of earlier files above 128 kB have ended.',
  unit: 'removals',
  fullSize: 99,
  minSize: 3,
  batchSize: 3,
  engines: ['sqlite', 'postgres'],
  minutes: 20,
  defect: {
    description: 'servers look for removals once in an hour',
    edits: [
      {
        file: 'src/program/process/servers.ts',
        from: 'takeDownIntervalMs = 1_000',
        to: 'takeDownIntervalMs = 3_600_000',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const ms = tally.maxima.ms ?? 0;
    const left = Object.keys(tally.counts).filter((name) => name.startsWith('after '));
    return {
      measured: `${formatNumber(done)} removals by the admin area: ${formatCount(tally, 'late responses')} later requests under load lack the record, ${formatCount(tally, 'downloads ended')} downloads ended; the last disk lacks it after ${(ms / 1_000).toFixed(1)} s`,
      violations: [
        ...left.map((name) => `${name.slice('after '.length)} still has the record`),
        ...(ms > maxMs ? [`a disk had the record for ${Math.round(ms / 1_000)} s`] : []),
        ...(getCount(tally, 'on disk before') === 0 ? ['no disk had a record'] : []),
        ...(getCount(tally, 'late responses') === 0 ? ['no request came during a removal'] : []),
      ],
    };
  },
};
