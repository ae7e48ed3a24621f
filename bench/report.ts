/** Formats a run as a Markdown table. */
import type { Run } from './bench.ts';
import { submissionsOfPeers } from './beside-peers.ts';
import type { RowResult, Spread } from './measure.ts';

const whole = (value: number) => Math.round(value).toLocaleString('en');

function mark({ ratio, target }: RowResult): string {
  if (target === undefined) return '';
  return `${target.toFixed(2)} ${ratio.median >= target ? 'met' : 'missed'}`;
}

const between = ({ lowest, highest }: Spread) => `${lowest.toFixed(2)}–${highest.toFixed(2)}`;

function peerTable(peers: Run['peers']): string {
  if (peers.length === 0) return '';
  const lines = peers.map(
    ({ name, version, first, deep }) =>
      `| ${name} ${version} | ${whole(first.theirs.median)} | ${first.times.median.toFixed(1)} | ${whole(deep.theirs.median)} | ${deep.times.median.toFixed(1)} |`,
  );
  return `
${whole(submissionsOfPeers)} submissions on the same PostgreSQL; Rostra in turn with each of them.

| instead of Rostra | first page, requests/s | Rostra, times as many | deep page, requests/s | Rostra, times as many |
| --- | ---: | ---: | ---: | ---: |
${lines.join('\n')}
`;
}

export function table({ rows, processes, peers, submissions, node, processors, generator, at }: Run): string {
  const lines = rows.map((row) =>
    [
      row.engine,
      row.name,
      whole(row.bytes),
      whole(row.requestsPerSecond.median),
      row.processorMicroseconds?.median.toFixed(1) ?? '–',
      row.p50Ms.median.toFixed(2),
      row.p99Ms.median.toFixed(2),
      row.halfLoadP99Ms.toFixed(2),
      whole(row.bareRequestsPerSecond.median),
      row.ratio.median.toFixed(2),
      between(row.ratio),
      mark(row),
    ].join(' | '),
  );
  const started = processes.map(
    ({ engine, startedInMs, idleBytes }) =>
      `${engine}: first answer ${whole(startedInMs.median)} ms after the start; idle ${idleBytes === undefined ? '–' : whole(idleBytes.median / 1e6)} MB resident.`,
  );
  return `
${at}: ${whole(submissions)} submissions, Node.js ${node}, ${processors} processors, load from ${generator}; medians.

| engine | what | bytes | requests/s | µs of processor | p50 ms | p99 ms | p99 ms at half load | bare | ratio | of the rounds | target |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |
${lines.map((line) => `| ${line} |`).join('\n')}

${started.join('\n')}
${peerTable(peers)}`;
}
