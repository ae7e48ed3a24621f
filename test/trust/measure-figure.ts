/** Measures a figure on the engine of this process, batch by batch. */
import { join } from 'node:path';
import { createScope, type Scope } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { mainFile, startServerProcess } from '../support/server-process.ts';
import { createDamagedCopy } from './damaged-copy.ts';
import type { EngineName, Figure, FigureRun } from './figure.ts';
import { type Result, writeResult } from './result.ts';
import { createTally, fail, formatNumber } from './tally.ts';

export interface MeasureOptions {
  figure: Figure;
  engine: EngineName;
  size: number;
  /** Folder of the results. */
  folder: string;
  commit: string;
  hasDefect: boolean;
  maxMinutes: number;
  /** An earlier part of the run. */
  previous: Result | undefined;
  /** Ends the run after the current batch, to be resumed later. */
  interruption: AbortSignal;
}

/** A run with more failures than this ends early. */
const maxFailures = 10;

const reportEveryMs = 30_000;

export async function measureFigure(options: MeasureOptions): Promise<Result> {
  const { figure, engine, size, folder, commit, previous, maxMinutes, interruption } = options;
  const tally = previous?.tally ?? createTally();
  const result: Result = {
    figure: figure.number,
    engine,
    ...(options.hasDefect && figure.defect ? { defect: figure.defect.description } : {}),
    date: new Date().toISOString(),
    commits: [...new Set([...(previous?.commits ?? []), commit])],
    node: process.version,
    requested: size,
    done: previous?.done ?? 0,
    durationSeconds: previous?.durationSeconds ?? 0,
    tally,
  };
  const startMs = performance.now();
  const earlierSeconds = result.durationSeconds;
  const save = () => {
    result.date = new Date().toISOString();
    result.durationSeconds = Math.round(earlierSeconds + (performance.now() - startMs) / 1_000);
    writeResult(folder, result);
  };

  const scope = createScope();
  const report = createProgressReport(result);
  try {
    const { measure, finish } = await figure.start(createRun(options, scope, tally));
    const mustEnd = () => interruption.aborted || performance.now() - startMs > maxMinutes * 60_000;
    while (result.done < size && tally.failureCount <= maxFailures && !mustEnd()) {
      const count = Math.min(figure.batchSize, size - result.done);
      await measure(result.done, count).catch((error) => fail(tally, toSentence(error)));
      result.done += count;
      save();
      report();
    }
    if (!interruption.aborted) await finish?.().catch((error) => fail(tally, toSentence(error)));
  } catch (error) {
    fail(tally, toSentence(error));
  } finally {
    await scope.close();
  }
  if (!interruption.aborted) Object.assign(result, figure.conclude(tally, result.done));
  save();
  return result;
}

/** A figure sends more requests than the usual limit, and reads no request lines. */
export const quietServer = { ROSTRA_LOG_LEVEL: 'error', ROSTRA_RATE_LIMIT: '2000000000' };

function createRun(
  { figure, engine, size, hasDefect }: MeasureOptions,
  scope: Scope,
  tally: Result['tally'],
): FigureRun {
  const defect = hasDefect ? figure.defect : undefined;
  const program = defect ? join(createDamagedCopy(scope, defect.edits), 'src/main.ts') : mainFile;
  return {
    scope,
    engine,
    tally,
    size,
    program,
    createFixture: async () => {
      const fixture = await createFixture(scope);
      await defect?.damageDatabase?.(fixture, engine);
      return fixture;
    },
    startServer: (database, environment) =>
      startServerProcess(scope, database, { ...quietServer, ...environment }, program),
  };
}

const toSentence = (error: unknown) =>
  error instanceof Error ? error.message.split('\n').slice(0, 6).join(' ') : String(error);

/** @returns a function that prints the progress, at most every half minute */
function createProgressReport(result: Result): () => void {
  const [startMs, startDone] = [performance.now(), result.done];
  let nextMs = startMs + reportEveryMs;
  return () => {
    const nowMs = performance.now();
    if (nowMs < nextMs) return;
    nextMs = nowMs + reportEveryMs;
    const perSecond = ((result.done - startDone) / (nowMs - startMs)) * 1_000;
    const minutes = Math.ceil((result.requested - result.done) / perSecond / 60);
    console.error(
      `  ${formatNumber(result.done)} of ${formatNumber(result.requested)}, about ${minutes} min left`,
    );
  };
}
