/**
 * The first and the deepest page of the submissions of a database, beside a bare `node:http` server that sends
 * the very same bytes and headers: requests per second in interleaved rounds, medians, and the ratio.
 *
 *   npm run bench -- --database FILE --organization NAME
 *
 * The load comes from wrk where it is installed, else from autocannon; each server has one process.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';

const rounds = 5;
const secondsPerRound = 4;
const connections = 32;

const { values } = parseArgs({
  options: { database: { type: 'string' }, organization: { type: 'string' } },
});
if (!values.database || !values.organization) {
  throw new Error('Usage: npm run bench -- --database FILE --organization NAME');
}
const common = ['--database', values.database];
const rostra = (...parameters: string[]) => ['src/main.ts', ...parameters, ...common];
const key = execFileSync(
  process.execPath,
  rostra('key', 'issue', '--organization', values.organization, '--name', 'bench', '--limit', '2147483647'),
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
).trim();

// The log goes to a file, as it would in operation.
const log = join(mkdtempSync(join(tmpdir(), 'rostra-bench-')), 'log');
const served = spawn(process.execPath, rostra('serve', '--port', '0', '--log-format', 'json'), {
  stdio: ['ignore', 'ignore', openSync(log, 'w')],
});
const address = await listeningAddress();

const first = `${address}/api/v1/submissions`;
const deepest = await walkToTheEnd(first);
const targets = { first, deepest };
const results = new Map<string, number[]>();
for (let round = 0; round < rounds; round += 1) {
  for (const [name, url] of Object.entries(targets)) {
    const bare = await startBare(url);
    record(name, await requestsPerSecond(url));
    record(bareOf(name), await requestsPerSecond(bare.url));
    await bare.stop();
  }
}
served.kill('SIGTERM');
await once(served, 'exit');

for (const name of Object.keys(targets)) {
  const ours = median(results.get(name) ?? []);
  const limit = median(results.get(bareOf(name)) ?? []);
  console.log(
    `${name.padEnd(8)} ${ours.toFixed(0).padStart(7)} requests/s, bare ${limit.toFixed(0).padStart(7)}, ratio ${(ours / limit).toFixed(2)}`,
  );
}

async function listeningAddress(): Promise<string> {
  for (;;) {
    const line = readFileSync(log, 'utf8')
      .split('\n')
      .find((line) => line.includes('"listening"'));
    if (line !== undefined) return JSON.parse(line).address;
    await setTimeout(50);
  }
}

function record(name: string, requests: number): void {
  results.set(name, [...(results.get(name) ?? []), requests]);
}

function bareOf(name: string): string {
  return `${name}, bare`;
}

/** @returns the address of the last full page */
async function walkToTheEnd(list: string): Promise<string> {
  let url = list;
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const { pagination } = (await response.json()) as {
      pagination: { next_cursor: string; has_more: boolean };
    };
    if (!pagination.has_more) return url;
    const next = `${list}?cursor=${pagination.next_cursor}`;
    const following = await fetch(next, { headers: { authorization: `Bearer ${key}` } });
    const page = (await following.json()) as { data: unknown[] };
    if (page.data.length < 20) return url;
    url = next;
  }
}

/** A server in a process of its own that answers everything with what `url` answers now. */
async function startBare(url: string) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const body = Buffer.from(await response.arrayBuffer());
  const left = ['connection', 'keep-alive', 'date', 'transfer-encoding'];
  const headers = [...response.headers].filter(([name]) => !left.includes(name));
  const child = spawn(process.execPath, [new URL('./bare.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ body: body.toString('base64'), headers }));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    url: String(line),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function requestsPerSecond(url: string): Promise<number> {
  const header = `Authorization: Bearer ${key}`;
  const wrk = spawnSync('wrk', ['-t1', `-c${connections}`, `-d${secondsPerRound}s`, '-H', header, url], {
    encoding: 'utf8',
  });
  if (wrk.status === 0) return Number(/Requests\/sec:\s+([\d.]+)/.exec(wrk.stdout)?.[1]);
  const { requests } = await autocannon({
    url,
    connections,
    duration: secondsPerRound,
    headers: { authorization: `Bearer ${key}` },
  });
  return requests.average;
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
