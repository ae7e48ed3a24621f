import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './targets.ts';

export const checkout = join(import.meta.dirname, '..');

/** All packages, and `SHA256SUMS`. */
export const packageFolder = join(checkout, 'dist/packages');

/** Programs with an executable, and an archive with it. */
export const programs = ['rostra', 'rostra-mirror'] as const;

export type Program = (typeof programs)[number];

/** The executables, their native module and the licences: what the packages of a target contain. */
export const getTargetFolder = ({ architecture }: Target): string => join(packageFolder, architecture);

export const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  version: string;
};
