/** A promise about Rostra that `npm run trust` measures. */

import type { Scope } from '../support/files.ts';
import type { Fixture } from '../support/fixture.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { SourceEdit } from './damaged-copy.ts';
import type { Tally } from './tally.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof engines)[number];
export const engineTitles: Record<EngineName, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export interface Figure {
  number: number;
  /** What holds, as a sentence without the sizes of one run. */
  promise: string;
  /** What is counted, in the plural. */
  unit: string;
  fullSize: number;
  /** The smallest size at which the defect is found. */
  minSize: number;
  /** Units between two saves of the state. */
  batchSize: number;
  engines: readonly EngineName[];
  /** Estimated minutes of the full size on each engine, on two processors. */
  minutes: number;
  /** The figure contains times, which other work on the machine would change. */
  needsQuietMachine?: true;
  /** The measurement needs one process from the first unit to the last. */
  restartsOnResume?: true;
  /** A mistake in the program with which the figure must not hold. Undefined if the figure damages the program itself. */
  defect: Defect | undefined;
  start(run: FigureRun): Promise<Measurement>;
  /** Judges the tally of a finished run. */
  conclude(tally: Tally, done: number): Conclusion;
}

export interface Defect {
  description: string;
  edits: readonly SourceEdit[];
  /** Damages the database, where it is a second barrier. */
  damageDatabase?: (fixture: Fixture, engine: EngineName) => Promise<void>;
}

export interface FigureRun {
  scope: Scope;
  engine: EngineName;
  tally: Tally;
  /** Units of the whole run. */
  size: number;
  /** Entry point of the program: of the checkout, or of a copy with the defect. */
  program: string;
  createFixture(): Promise<Fixture>;
  /** Starts `rostra serve` of the program. It logs errors only. */
  startServer(database: string, environment?: Record<string, string>): Promise<ServerProcess>;
}

export interface Measurement {
  /** Measures units number `first` to `first + count - 1`. A thrown error is a failure of the batch. */
  measure(first: number, count: number): Promise<void>;
  /** Checks after the last batch. */
  finish?(): Promise<void>;
}

export interface Conclusion {
  /** Measured values for the report. */
  measured: string;
  /** Reasons why the figure does not hold, besides the failures of the tally. */
  violations: string[];
}
