/** Programs that only a release needs. They have a package of their own, so that `npm ci` does not install them. */
import type { ExecFileSyncOptions } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installDependencies, run } from './programs.ts';
import type { Release } from './steps.ts';

const getFolder = ({ tree }: Release) => join(tree, 'packaging/release/tools');

export const installTools = (release: Release): void => installDependencies(getFolder(release));

/** As `run`. */
export const runTool = (
  release: Release,
  program: string,
  args: readonly string[],
  options?: ExecFileSyncOptions,
): string => run(join(getFolder(release), 'node_modules/.bin', program), args, options);

export const requireTool = <Exports>(release: Release, name: string): Exports =>
  createRequire(join(getFolder(release), 'package.json'))(name);
