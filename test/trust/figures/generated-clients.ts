import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { lintOpenapi } from '../../support/openapi-lint.ts';
import { sessions, sortNewestFirst, submissions, surveys } from '../../support/records.ts';
import { nodeBinary } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, getCount } from '../tally.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../generators/', import.meta.url));
const generated = join(folder, 'generated');

const clients = ['use-openapi-fetch', 'use-hey-api'];

/** What the programs print. */
const expected = {
  ids: sortNewestFirst(submissions).map(({ id }) => id),
  referenceNumbers: sortNewestFirst(submissions).map(
    ({ referenceNumber }) => referenceNumber?.length ?? null,
  ),
  sessions: sessions.length,
  questions: surveys[0]?.questions.length,
  missing: 'NOT_FOUND',
  texts: [
    ...submissions.map(({ description }) => description),
    ...sessions.map(({ committeeName }) => committeeName),
    ...surveys.filter(({ status }) => status !== 'draft').map(({ title }) => title),
  ].toSorted(),
};

/** Generates both clients from the document of a server and compiles them with their programs. */
async function generate(document: string): Promise<void> {
  if (!existsSync(join(folder, 'node_modules'))) await run('npm', ['ci'], { cwd: folder });
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  const file = join(generated, 'openapi.json');
  writeFileSync(file, document);
  const runTool = (name: string, ...args: string[]) =>
    run(nodeBinary, [join(folder, 'node_modules', name), ...args], { cwd: folder });
  await runTool('openapi-typescript/bin/cli.js', file, '-o', join(generated, 'schema.ts'));
  await runTool('@hey-api/openapi-ts/bin/run.js', '-i', file, '-o', join(generated, 'hey-api'));
  await runTool('typescript/bin/tsc', '-p', folder).catch((error: { stdout: string }) => {
    throw new Error(`the generated clients do not compile: ${error.stdout.slice(0, 300)}`);
  });
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const server = await startServer(fixture.database);
  const { text } = await server.get('/openapi.json');
  for (const problem of await lintOpenapi(text)) {
    add(tally, 'problems');
    fail(tally, problem);
  }
  await generate(text);
  return {
    measure: async (first, count) => {
      for (const name of clients.slice(first, first + count)) {
        const program = join(generated, 'compiled', `${name}.js`);
        const { stdout } = await run(nodeBinary, [program, `${server.address}/api/v1`, fixture.alice]);
        if (!isDeepStrictEqual(JSON.parse(stdout), expected))
          fail(tally, `${name} reads ${stdout.slice(0, 200)}`);
        add(tally, 'clients');
      }
    },
  };
}

export const generatedClients: Figure = {
  number: 17,
  promise:
    'The OpenAPI document passes a linter with general and OWASP rules, and the clients of two independent generators (openapi-typescript, Hey API) compile and read pages, nested data, nulls and errors.',
  unit: 'generated clients',
  fullSize: 2,
  minSize: 2,
  batchSize: 1,
  engines: ['sqlite'],
  minutes: 1,
  defect: {
    description: 'the document asks for HTTP Basic authentication',
    edits: [{ file: 'src/contract/openapi.ts', from: "scheme: 'bearer'", to: "scheme: 'basic'" }],
  },
  start,
  conclude: (tally, done) => ({
    measured: `${getCount(tally, 'problems')} warnings; ${getCount(tally, 'clients')} of ${done} generated clients compile and read the expected data`,
    violations: getCount(tally, 'clients') < clients.length ? ['a client was not run'] : [],
  }),
};
