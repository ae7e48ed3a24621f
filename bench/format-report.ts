/** Formats a run as a Markdown table. */
import type { Run } from './bench.ts';
import { peerSubmissions } from './measure-peers.ts';
import type { RowResult, Spread } from './measure-row.ts';

const formatInteger = (value: number) => Math.round(value).toLocaleString('en');

function formatTarget({ ratio, target }: RowResult): string {
  if (target === undefined) return '';
  return `${target.toFixed(2)} ${ratio.median >= target ? 'met' : 'missed'}`;
}

const formatRange = ({ lowest, highest }: Spread) => `${lowest.toFixed(2)}–${highest.toFixed(2)}`;

function formatPeers(peers: Run['peers']): string {
  if (peers.length === 0) return '';
  const lines = peers.map(
    ({ name, version, first, cold, deep }) =>
      `| ${name} ${version} | ${formatInteger(first.theirs.median)} | ${first.times.median.toFixed(1)} | ${cold.times.median.toFixed(1)} | ${formatInteger(deep.theirs.median)} | ${deep.times.median.toFixed(1)} |`,
  );
  return `
${formatInteger(peerSubmissions)} submissions on the same PostgreSQL; Rostra in turn with each of them.

| instead of Rostra | first page, requests/s | Rostra, times as many | pages all different, times as many | deep page, requests/s | Rostra, times as many |
| --- | ---: | ---: | ---: | ---: | ---: |
${lines.join('\n')}
`;
}

export function formatReport({
  rows,
  processes,
  peers,
  submissions,
  node,
  processors,
  generator,
  at,
}: Run): string {
  const lines = rows.map((row) =>
    [
      row.engine,
      row.name,
      formatInteger(row.bytes),
      formatInteger(row.requestsPerSecond.median),
      row.processorMicroseconds?.median.toFixed(1) ?? '–',
      row.p50Ms.median.toFixed(2),
      row.p99Ms.median.toFixed(2),
      row.halfLoadP99Ms.median.toFixed(2),
      formatInteger(row.bareRequestsPerSecond.median),
      row.ratio.median.toFixed(2),
      formatRange(row.ratio),
      formatTarget(row),
    ].join(' | '),
  );
  const started = processes.map(
    ({ engine, startedInMs, idleBytes }) =>
      `${engine}: first response ${formatInteger(startedInMs.median)} ms after the start; idle ${idleBytes === undefined ? '–' : formatInteger(idleBytes.median / 1e6)} MB resident.`,
  );
  return `
${at}: ${formatInteger(submissions)} submissions, Node.js ${node}, ${processors} processors, load from ${generator}; medians.

| engine | what | bytes | requests/s | µs of processor | p50 ms | p99 ms | p99 ms at half load | bare | ratio | of the rounds | target |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |
${lines.map((line) => `| ${line} |`).join('\n')}

${started.join('\n')}
${formatPeers(peers)}`;
}
