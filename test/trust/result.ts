/** The state and the result of a figure on an engine, stored as a file. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName } from './figure.ts';
import type { Tally } from './tally.ts';

export interface Result {
  figure: number;
  engine: EngineName;
  /** Description of the injected defect, in runs that must fail. */
  defect?: string;
  /** Time of the last save, ISO 8601 in UTC. */
  date: string;
  /** Abbreviated commits that the parts of the run measured; `+` marks uncommitted changes. */
  commits: string[];
  node: string;
  requested: number;
  done: number;
  durationSeconds: number;
  tally: Tally;
  /** Set when the run has ended. */
  measured?: string;
  violations?: string[];
}

const getFile = (folder: string, figure: number, engine: EngineName) =>
  join(folder, `${String(figure).padStart(2, '0')}-${engine}.json`);

/** @returns undefined if the figure was not measured on this engine */
export function readResult(folder: string, figure: number, engine: EngineName): Result | undefined {
  try {
    return JSON.parse(readFileSync(getFile(folder, figure, engine), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file in one step, so that a killed run leaves a complete one. */
export function writeResult(folder: string, result: Result): void {
  mkdirSync(folder, { recursive: true });
  const file = getFile(folder, result.figure, result.engine);
  writeFileSync(`${file}.new`, `${JSON.stringify(result, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** If only its time was over, `--resume` continues it. */
export const hasEnded = ({ violations, tally, done, requested }: Result) =>
  violations !== undefined && (done >= requested || violations.length > 0 || tally.failureCount > 0);

export const isHeld = (result: Result) =>
  result.violations?.length === 0 && result.tally.failureCount === 0 && result.done >= result.requested;
