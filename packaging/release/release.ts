/** `npm run release`: makes every file of a release, in a folder. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Target, targets } from '../targets.ts';
import { type CheckedRelease, checkRelease, RefusedError } from './check-release.ts';
import { findMissingProgram, MissingPartError } from './programs.ts';
import { type Release, type Step, steps, toLines } from './steps.ts';

const help = `Makes every file of a release from the commit of this checkout.

  npm run release -- --version VERSION --key FILE --output FOLDER

  --version VERSION  the version in package.json, with notes in CHANGELOG.md
  --key FILE         exported secret key of OpenPGP (gpg --export-secret-keys); a passphrase is asked for
  --output FOLDER    new folder for the files
  --rehearsal        runs no tests, needs no key, and accepts notes that say "unreleased" and contacts at
                     rostra.invalid; the result is no release
  --target NAME      in a rehearsal: builds for this platform only: ${targets.map(({ name }) => name).join(', ')}
  --help

Exit codes: 0 the release is complete; 1 a step failed; 2 refused, nothing was made; 3 incomplete: parts are missing, or it
was a rehearsal. The file INCOMPLETE names what is missing.
`;

const exitCodes = { success: 0, failure: 1, refused: 2, incomplete: 3 } as const;

// Without a handler, Ctrl-C would leave the temporary folder, which can contain the key. It also ends the program of the step.
let isInterrupted = false;
process.on('SIGINT', () => {
  isInterrupted = true;
});

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const release = readArguments();
    return release === undefined ? exitCodes.success : await makeRelease(release);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    process.stderr.write(`release: ${message}\n`);
    return error instanceof RefusedError || code?.startsWith('ERR_PARSE_ARGS')
      ? exitCodes.refused
      : exitCodes.failure;
  }
}

/** @returns undefined if it printed the help */
function readArguments(): CheckedRelease | undefined {
  const { values } = parseArgs({
    options: {
      version: { type: 'string' },
      key: { type: 'string' },
      output: { type: 'string' },
      rehearsal: { type: 'boolean', default: false },
      target: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return undefined;
  }
  const { version, key, output, rehearsal: isRehearsal } = values;
  if (version === undefined || output === undefined)
    throw new RefusedError('--version and --output are missing. See npm run release -- --help.');
  if (key === undefined && !isRehearsal)
    throw new RefusedError('--key is missing: a release is signed. A --rehearsal needs no key.');
  const chosen = targets.filter(({ name }) => values.target === undefined || values.target === name);
  if (values.target !== undefined && (!isRehearsal || chosen.length === 0))
    throw new RefusedError('--target needs --rehearsal and the name of a platform. See --help.');
  return checkRelease({
    version,
    key: key === undefined ? undefined : resolve(key),
    output: resolve(output),
    isRehearsal,
    targets: chosen as Target[],
  });
}

async function makeRelease(checked: CheckedRelease): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-release-'));
  const missing: string[] = [];
  const release: Release = { ...checked, folder, tree: join(folder, `rostra_${checked.version}`), missing };
  try {
    mkdirSync(release.output, { recursive: true });
    for (const [index, step] of steps.entries()) {
      // Signals are handled only while no step runs a program.
      await setImmediate();
      if (isInterrupted) throw new Error('interrupted.');
      process.stdout.write(`[${index + 1}/${steps.length}] ${step.title} … `);
      const startedAt = performance.now();
      const reason = await runStep(step, release);
      const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
      process.stdout.write(reason === undefined ? `${seconds}\n` : `MISSING after ${seconds}: ${reason}\n`);
      if (reason !== undefined) missing.push(`${step.title}: ${reason}`);
    }
  } catch (error) {
    process.stdout.write('FAILED\n');
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (missing.length === 0) {
    process.stdout.write(`The release ${release.version} is complete: ${release.output}\n`);
    return exitCodes.success;
  }
  const kind = release.isRehearsal ? 'This is a rehearsal and no release' : 'The release is incomplete';
  process.stdout.write(`${kind}. Missing:\n${toLines(missing)}`);
  return exitCodes.incomplete;
}

/** @returns why the part is missing; undefined if the step is done */
async function runStep(step: Step, release: Release): Promise<string | undefined> {
  const reason = findMissingProgram(step.programs ?? []);
  if (reason !== undefined) return reason;
  try {
    await step.run(release);
    return undefined;
  } catch (error) {
    if (error instanceof MissingPartError) return error.message;
    throw error;
  }
}
