/** All figures, in the order of the report. */

import type { Figure } from './figure.ts';
import { changedCursors } from './figures/changed-cursors.ts';

import { memory } from './figures/memory.ts';

export const figures: readonly Figure[] = [changedCursors, memory];

export function findFigure(number: number): Figure {
  const figure = figures.find((candidate) => candidate.number === number);
  if (figure === undefined) throw new Error(`no figure has the number ${number}`);
  return figure;
}
