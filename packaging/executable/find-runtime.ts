/** The Node.js inside the executable: the npm package that package-lock.json pins, also for another platform. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../package-folder.ts';
import type { Target } from '../targets.ts';

/**
 * @param temporaryFolder for the downloaded package, if npm did not install it because it is for another platform
 * @returns the folder of the npm package, with `bin/node` and `LICENSE`
 * @throws if the download differs from package-lock.json
 */
export function findRuntime({ runtime }: Target, temporaryFolder: string): string {
  const installed = join(checkout, 'node_modules', runtime);
  if (existsSync(installed)) return installed;
  const lock = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${runtime}`];
  const flags = ['--pack-destination', temporaryFolder, '--json', '--loglevel=error'];
  execFileSync('npm', ['pack', `${runtime}@${version}`, ...flags], { cwd: checkout });
  const archive = join(temporaryFolder, `${runtime}-${version}.tgz`);
  const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (digest !== integrity) throw new Error(`${archive} has ${digest}, but package-lock.json ${integrity}.`);
  const folder = join(temporaryFolder, runtime);
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  return folder;
}
