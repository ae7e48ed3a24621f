/** Measures one figure on one engine in this process: its arguments are JSON of `FigureArguments`. */
import { findFigure } from './figures.ts';
import { type MeasureOptions, measureFigure } from './measure-figure.ts';
import { readResult } from './result.ts';

export interface FigureArguments extends Omit<MeasureOptions, 'figure' | 'previous' | 'interruption'> {
  figure: number;
  resume: boolean;
}

const { figure: number, resume, ...options } = JSON.parse(process.argv[2] as string) as FigureArguments;
const figure = findFigure(number);
const previous =
  resume && !figure.restartsOnResume ? readResult(options.folder, number, options.engine) : undefined;

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second signal does not wait for the batch.
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
  });
}

await measureFigure({ ...options, figure, previous, interruption: interruption.signal });
// Connections of clients may still be open.
process.exit(interruption.signal.aborted ? 130 : 0);
