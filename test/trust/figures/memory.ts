import { setInterval } from 'node:timers/promises';
import autocannon, { type Request } from 'autocannon';
import { createSubmission, missingId } from '../../support/records.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { readUsage, type Usage } from '../process-usage.ts';
import { add, fail, getCount } from '../tally.ts';

const connections = 32;
const submissions = 2_000;
const firstSubmission = 10_000;
const encodings = ['identity', 'gzip', 'br', 'zstd'];
const samplesPerSecond = 2;
/** Stands for another topic in each request. */
const newTopic = '{topic}';
/** Requests for pages that are repeated, besides those that nobody requested before. */
const repeated = [
  '/submissions',
  '/submissions?status=in_review',
  '/support',
  '/sessions',
  '/surveys',
  '/me',
];

/** @returns documents, pages that nobody requested before, each in another encoding, and requests that fail */
function composeTargets(): Request[] {
  const pages = Array.from({ length: submissions }, (_, index) => {
    const id = createSubmission(firstSubmission + index).id;
    return [`/submissions/${id}`, `/submissions?limit=${1 + (index % 100)}&topic=${newTopic}`];
  });
  const missing = [`/submissions/${missingId}`, '/nothing', '/submissions?limit=0'];
  let topics = 0;
  return pages
    .flatMap((paths, index) => [
      ...paths,
      repeated[index % repeated.length] as string,
      ...(index % 20 === 0 ? missing : []),
    ])
    .map((path, index) => {
      const headers = { 'accept-encoding': encodings[index % encodings.length] as string };
      const request = { path: `/api/v1${path}`, headers };
      if (!path.endsWith(newTopic)) return request;
      return {
        ...request,
        // However much the response cache remembers, it lacks the next page.
        setupRequest: (sent) => {
          topics += 1;
          return { ...sent, path: request.path.replace(newTopic, `${topics}`) };
        },
      };
    });
}

const computeMean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

async function start({ createFixture, startServer, tally, size }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const records = Array.from({ length: submissions }, (_, index) =>
    createSubmission(firstSubmission + index),
  );
  await fixture.putRecords(
    fixture.a,
    records.map((record) => ({ kind: 'submission', ...record })),
  );
  const server = await startServer(fixture.database);
  const targets = composeTargets();
  const lastQuarter: Usage[] = [];

  return {
    measure: async (first, count) => {
      const sampling = new AbortController();
      const sampled = (async () => {
        for await (const _ of setInterval(1_000 / samplesPerSecond, undefined, { signal: sampling.signal }))
          if (first >= size * 0.75) lastQuarter.push(readUsage(server.pid));
      })().catch(() => undefined);
      // Each batch opens its connections anew, and begins about where those of the last one ended.
      const at = Math.floor(first / connections) % targets.length;
      const { errors, '5xx': serverErrors } = await autocannon({
        url: server.address,
        connections,
        amount: count,
        headers: { authorization: `Bearer ${fixture.alice}` },
        requests: [...targets.slice(at), ...targets.slice(0, at)],
      });
      sampling.abort();
      await sampled;
      if (errors + serverErrors > 0) fail(tally, `${errors} failed requests, ${serverErrors} server errors`);
    },
    finish: async () => {
      const half = lastQuarter.length / 2;
      const [before, after] = [lastQuarter.slice(0, half), lastQuarter.slice(half)];
      const meanOf = (samples: readonly Usage[], name: keyof Usage) =>
        Math.round(computeMean(samples.map((sample) => sample[name])));
      add(tally, 'samples', lastQuarter.length);
      add(tally, 'kilobytes before', meanOf(before, 'residentKilobytes'));
      add(tally, 'kilobytes after', meanOf(after, 'residentKilobytes'));
      add(tally, 'handles before', Math.max(...before.map(({ handles }) => handles)));
      add(tally, 'handles after', Math.max(...after.map(({ handles }) => handles)));
    },
  };
}

const fullSize = 10_000_000;
const maxGrowth = 0.01;

/** In fewer requests, the heap has not reached its final size: measured 2.6 % of 1,000,000 and 2.0 % of 3,000,000. */
const maxWarmUpGrowth = 0.05;

export const memory: Figure = {
  number: 12,
  promise:
    'Memory stays flat: in the last quarter of the requests, the mean resident memory of the second half is at most 1 % above that of the first, and the process holds no more handles.',
  unit: 'requests',
  fullSize,
  minSize: 1_000_000,
  batchSize: 50_000,
  engines: ['sqlite', 'postgres'],
  minutes: 30,
  restartsOnResume: true,
  defect: {
    description: 'the server keeps 300 bytes of each response',
    edits: [
      {
        file: 'src/web/api/responses/send-response.ts',
        from: 'const deprecationHeaders = createDeprecationHeaders();',
        to: 'const deprecationHeaders = createDeprecationHeaders();\n  const copies: Buffer[] = [];',
      },
      {
        file: 'src/web/api/responses/send-response.ts',
        from: 'else writer.write(response, body);',
        to: 'else writer.write(response, body);\n    if (!isLarge(body)) copies.push(Buffer.from(body.slice(0, 300)));',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const [before, after] = [getCount(tally, 'kilobytes before'), getCount(tally, 'kilobytes after')];
    const growth = after / before - 1;
    const [handlesBefore, handlesAfter] = [
      getCount(tally, 'handles before'),
      getCount(tally, 'handles after'),
    ];
    const format = (kilobytes: number) => `${(kilobytes / 1_024).toFixed(0)} MB`;
    return {
      measured: `${format(before)}, then ${format(after)} (${growth < 0 ? '' : '+'}${(growth * 100).toFixed(2)} %, means of ${getCount(tally, 'samples')} samples); at most ${handlesBefore}, then ${handlesAfter} handles`,
      violations: [
        ...(getCount(tally, 'samples') < 4 ? ['too few samples'] : []),
        ...(growth > (done < fullSize ? maxWarmUpGrowth : maxGrowth) ? ['memory grew'] : []),
        ...(handlesAfter > handlesBefore + 2 ? ['handles grew'] : []),
      ],
    };
  },
};
