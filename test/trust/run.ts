/** Measures Rostra's promises, and prints the trust report: `npm run trust`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../support/checkout.ts';
import { globalSetup, globalTeardown } from '../support/postgres-setup.ts';
import { type EngineName, engines, engineTitles, type Figure } from './figure.ts';
import { runFigureProcess } from './figure-process.ts';
import { figures } from './figures.ts';
import { formatReport, resultsFolder } from './report.ts';
import { hasEnded, isHeld, readResult } from './result.ts';
import { formatNumber } from './tally.ts';

const help = `Usage: npm run trust -- [options]

Measures Rostra's promises, stores each result in test/trust/results, and prints the report of all results.

  --figure LIST     numbers of figures, such as 3,5 (default: all)
  --engine NAME     sqlite or postgres (default: both)
  --scale NUMBER    share of the full size, such as 0.01. Below 1, nothing is stored
  --resume          continue figures that were interrupted or ran out of time, and skip the others
  --minutes NUMBER  end each figure after this time (default: three times its estimate)
  --defect          inject a defect into the program; every figure must fail. Nothing is stored
  --report          print the report of the stored results, and measure nothing
  --list            print the figures with their sizes and estimated times
  --help            show this text
`;

const { values } = parseArgs({
  options: {
    figure: { type: 'string' },
    engine: { type: 'string' },
    scale: { type: 'string', default: '1' },
    resume: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    defect: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const scale = Number(values.scale);
if (!(scale > 0 && scale <= 1)) throw new Error(`--scale is not a number from 0 to 1: ${values.scale}`);
if (values.engine !== undefined && !engines.some((name) => name === values.engine))
  throw new Error(`--engine is neither sqlite nor postgres: ${values.engine}`);

const isStored = scale === 1 && !values.defect;

interface Planned {
  figure: Figure;
  engine: EngineName;
  size: number;
}

const computeMinutes = ({ figure, size }: Planned) => (figure.minutes * size) / figure.fullSize;

function planRuns(): Planned[] {
  const numbers = values.figure?.split(',').map(Number) ?? figures.map(({ number }) => number);
  const unknown = numbers.filter((number) => !figures.some((figure) => figure.number === number));
  if (unknown.length > 0) throw new Error(`no figure has the number ${unknown.join(', ')}`);
  return figures
    .filter(({ number, defect }) => numbers.includes(number) && (!values.defect || defect !== undefined))
    .flatMap((figure) =>
      figure.engines
        .filter((engine) => values.engine === undefined || engine === values.engine)
        .map((engine) => ({
          figure,
          engine,
          size: Math.min(figure.fullSize, Math.max(figure.minSize, Math.round(figure.fullSize * scale))),
        })),
    );
}

const formatPlanned = (planned: Planned) => {
  const { figure, engine, size } = planned;
  const minutes = Math.max(1, Math.round(computeMinutes(planned)));
  const quiet = figure.needsQuietMachine ? ', on a quiet machine' : '';
  return `${figure.number} on ${engineTitles[engine]}: ${formatNumber(size)} ${figure.unit}, about ${minutes} min${quiet}`;
};

function readCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  // The results themselves change while figures are measured.
  const changes = git('status', '--porcelain', '--', ':/', ':!/test/trust/results');
  return `${git('rev-parse', '--short=10', 'HEAD')}${changes === '' ? '' : '+'}`;
}

/** @returns false if it was interrupted or does not hold */
async function runPlanned(planned: Planned, folder: string, commit: string): Promise<boolean> {
  const { figure, engine, size } = planned;
  const previous = readResult(folder, figure.number, engine);
  if (values.resume && previous && hasEnded(previous)) return isHeld(previous);
  console.error(formatPlanned(planned));
  const result = await runFigureProcess({
    figure: figure.number,
    engine,
    size,
    folder,
    commit,
    hasDefect: values.defect,
    maxMinutes: Number(values.minutes ?? Math.max(5, computeMinutes(planned) * 3)),
    resume: values.resume,
  });
  if (result === undefined) {
    console.error('  interrupted; --resume continues');
    return false;
  }
  console.error(
    `  ${isHeld(result) ? 'holds' : 'DOES NOT HOLD'} after ${result.durationSeconds} s: ${result.measured}`,
  );
  for (const problem of [...(result.violations ?? []), ...result.tally.failures])
    console.error(`  - ${problem}`);
  return isHeld(result);
}

async function main(): Promise<void> {
  const plan = planRuns();
  const minutes = plan.reduce((sum, planned) => sum + computeMinutes(planned), 0);
  if (values.list) for (const planned of plan) console.log(formatPlanned(planned));
  console.error(`${plan.length} runs, about ${Math.ceil(minutes)} min in total`);
  if (values.list) return;

  const folder = isStored ? resultsFolder : mkdtempSync(join(tmpdir(), 'rostra-trust-'));
  const commit = readCommit();
  const usesPostgres = plan.some(({ engine }) => engine === 'postgres');
  if (usesPostgres) await globalSetup();
  try {
    for (const planned of plan) {
      const holds = await runPlanned(planned, folder, commit);
      if (holds === values.defect) process.exitCode = 1;
    }
    process.stdout.write(formatReport(folder));
  } finally {
    if (usesPostgres) await globalTeardown();
    if (!isStored) rmSync(folder, { recursive: true, force: true });
  }
}

if (values.help) console.log(help);
else if (values.report) process.stdout.write(formatReport(resultsFolder));
else await main();
