/** Generates load with wrk, or with autocannon if wrk is not installed. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

export interface LoadOptions {
  port: number;
  /** Requested in turn by all connections; without wrk, each connection requests a part of them. */
  paths: readonly string[];
  /** Several keys: each path has the key at its index, again from the first one after the last. */
  key: string | readonly string[] | undefined;
  /** Default: GET. */
  method?: string;
  headers?: Record<string, string>;
  /** Of clients behind a trusted proxy: each request has the next one, and the first path. */
  addresses?: readonly string[];
  /** Requests may be rejected. */
  mayFail?: true;
  body?: string;
  connections: number;
  seconds: number;
  /** Approximate rate of all connections together. Default: the maximum. */
  perSecond?: number;
  /** Expected status; the measurement fails with any other. */
  status: number;
}

export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export const generator = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon';

/**
 * Open data limits the responses of a client at a time. A busy server sees the end of the connections later, and counts their
 * responses until then.
 */
const pauseWithoutKeyMs = 1_000;

export async function runLoad(what: LoadOptions): Promise<LoadResult> {
  const result = await (generator === 'wrk' ? loadByWrk(what) : loadByAutocannon(what));
  if (what.key === undefined) await setTimeout(pauseWithoutKeyMs);
  return result;
}

const runFile = promisify(execFile);

/** wrk can only delay the next request of a connection by whole milliseconds. */
const computeDelayMs = (connections: number, perSecond: number) =>
  Math.max(1, Math.round((connections * 1000) / perSecond));

const createWrkScript = (pathsFile: string, what: LoadOptions) => `
wrk.method = "${what.method ?? 'GET'}"
${Object.entries(what.headers ?? {})
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
${what.body === undefined ? '' : `wrk.body = ${JSON.stringify(what.body)}`}
${what.perSecond === undefined ? '' : `delay = function() return ${computeDelayMs(what.connections, what.perSecond)} end`}
local paths, requests, at = {}, {}, 0
for line in io.lines("${pathsFile}") do paths[#paths + 1] = line end
local keys = {${listKeys(what.key)
  .map((key) => JSON.stringify(key))
  .join(', ')}}
local addresses = {${(what.addresses ?? []).map((address) => JSON.stringify(address)).join(', ')}}
init = function()
  for place, address in ipairs(addresses) do
    wrk.headers["X-Forwarded-For"] = address
    requests[place] = wrk.format(nil, paths[1])
  end
  if #addresses > 0 then return end
  for place, path in ipairs(paths) do
    if #keys > 0 then wrk.headers["Authorization"] = "Bearer " .. keys[(place - 1) % #keys + 1] end
    requests[place] = wrk.format(nil, path)
  end
end
request = function() at = at % #requests + 1; return requests[at] end`;

const listKeys = (key: LoadOptions['key']): readonly string[] =>
  key === undefined ? [] : typeof key === 'string' ? [key] : key;

async function loadByWrk(what: LoadOptions): Promise<LoadResult> {
  const { port, paths, key, method, headers = {}, connections, seconds, status } = what;
  const folder = mkdtempSync(join(tmpdir(), 'rostra-load-'));
  try {
    const pathsFile = join(folder, 'paths');
    const scriptFile = join(folder, 'load.lua');
    writeFileSync(pathsFile, paths.join('\n'));
    const { addresses, perSecond, mayFail } = what;
    const plain = paths.length === 1 && (method ?? perSecond ?? addresses) === undefined;
    writeFileSync(scriptFile, createWrkScript(pathsFile, what));
    const { stdout } = await runFile('wrk', [
      ...['-t1', `-c${connections}`, `-d${seconds}s`, '--latency'],
      // wrk is faster without a script.
      ...(plain ? [] : ['-s', scriptFile]),
      ...(plain ? listKeys(key).flatMap((each) => ['-H', `Authorization: Bearer ${each}`]) : []),
      ...(plain ? Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]) : []),
      `http://127.0.0.1:${port}${plain ? paths[0] : ''}`,
    ]);
    const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
    if (failed !== null && !mayFail && (status < 400 || failed[2] !== undefined))
      throw new Error(`Unexpected responses: ${failed[0]}`);
    return {
      requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
      requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      p50Ms: parseMilliseconds(/^\s+50%\s+(\S+)/m.exec(stdout)?.[1]),
      p99Ms: parseMilliseconds(/^\s+99%\s+(\S+)/m.exec(stdout)?.[1]),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const units: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

function parseMilliseconds(text = ''): number {
  const [, number, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(number) * (units[unit as string] as number);
}

async function loadByAutocannon({
  port,
  paths,
  key,
  method = 'GET',
  headers,
  body,
  connections,
  seconds,
  perSecond,
  status,
}: LoadOptions): Promise<LoadResult> {
  const keys = listKeys(key);
  const createHeaders = (each: string | undefined) => ({
    ...headers,
    ...(each === undefined ? {} : { authorization: `Bearer ${each}` }),
  });
  const requests = paths.map((path, index) => ({ path, headers: createHeaders(keys[index % keys.length]) }));
  let connected = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    // autocannon copies all requests of a connection before it starts: a part of many thousands is enough for each.
    setupClient: (client) => {
      const [first, end] = [connected, connected + 1].map((part) =>
        Math.floor((part * requests.length) / connections),
      );
      client.setRequests(requests.length < connections ? requests : requests.slice(first, end));
      connected += 1;
    },
    connections,
    duration: seconds,
    method: method as 'GET' | 'POST',
    ...(body === undefined ? {} : { body }),
    ...(perSecond === undefined ? {} : { overallRate: Math.round(perSecond) }),
  });
  if (result.errors > 0 || (status < 300 && result.non2xx > 0))
    throw new Error(`Unexpected responses: ${result.non2xx + result.errors}.`);
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
