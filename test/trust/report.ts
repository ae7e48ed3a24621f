/** The report of all stored results, in Markdown. */
import { join } from 'node:path';
import { checkout } from '../support/checkout.ts';
import { engineTitles, type Figure } from './figure.ts';
import { figures } from './figures.ts';
import { isHeld, type Result, readResult } from './result.ts';
import { formatNumber } from './tally.ts';

export const resultsFolder = join(checkout, 'test/trust/results');

function describeState(result: Result, { fullSize, unit }: Figure): string {
  const { requested, done, tally, violations } = result;
  const part = `${formatNumber(done)} of ${formatNumber(fullSize)} ${unit}`;
  if (tally.failureCount > 0 || (violations?.length ?? 0) > 0) return `**does not hold** (${part})`;
  if (violations === undefined || done < requested) return `**unfinished**: ${part}`;
  return isHeld(result) && done >= fullSize ? 'holds' : `holds **below full size**: ${part}`;
}

const formatDuration = (seconds: number) =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;

/** Text of a cell: one line, without the separator. */
const escapeCell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');

function formatRow(folder: string, figure: Figure): string {
  return figure.engines
    .map((engine, index) => {
      const head = index === 0 ? [String(figure.number), figure.promise] : ['', ''];
      const result = readResult(folder, figure.number, engine);
      const cells =
        result === undefined
          ? [engineTitles[engine], '**not measured**', '', '']
          : [
              engineTitles[engine],
              describeState(result, figure),
              [result.measured ?? '', ...(result.violations ?? []), ...result.tally.failures.slice(0, 3)]
                .filter((text) => text !== '')
                .join('; '),
              `${result.date.slice(0, 10)}, ${result.commits.map((commit) => `\`${commit}\``).join(' ')}, ${formatDuration(result.durationSeconds)}`,
            ];
      return `| ${[...head, ...cells].map(escapeCell).join(' | ')} |\n`;
    })
    .join('');
}

export function formatReport(folder: string): string {
  const count = figures.flatMap((figure) =>
    figure.engines.map((engine) => ({ figure, result: readResult(folder, figure.number, engine) })),
  );
  const held = count.filter(
    ({ figure, result }) => result !== undefined && isHeld(result) && result.done >= figure.fullSize,
  );
  return `# Trust report

\`npm run trust\` measures these figures on a running server. Each row is the last run on an engine;
${held.length} of ${count.length} hold at their full size. A nightly test runs each figure at a small size, and again with a defect
in the program, which must make it fail.

\`\`\`sh
npm run trust -- --list                  # the figures, with their sizes and estimated times
npm run trust -- --figure 3,9 --resume   # continues an interrupted run
npm run trust -- --scale 0.01            # a hundredth of each, stores nothing
\`\`\`

A commit with \`+\` had uncommitted changes. Times are of the whole run, on a machine with two processors that also runs the
clients and PostgreSQL.

| # | promise | engine | result | measured | run |
| ---: | --- | --- | --- | --- | --- |
${figures.map((figure) => formatRow(folder, figure)).join('')}`;
}
