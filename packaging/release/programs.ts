import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process';

/** Programs that steps need, with their packages of Debian. */
const debianPackages = {
  buildah: 'buildah',
  'dpkg-deb': 'dpkg',
  gpg: 'gnupg',
  python3: 'python3',
} as const;

export type Program = keyof typeof debianPackages;

/** A part of the release cannot be made on this machine. The other parts can. */
export class MissingPartError extends Error {}

/** @returns the reason, with the remedy on Debian; undefined if all programs are installed */
export function findMissingProgram(programs: readonly Program[]): string | undefined {
  const missing = programs.find((program) => spawnSync(program, ['--version']).status !== 0);
  return missing && `${missing} is not installed. Debian: apt-get install ${debianPackages[missing]}`;
}

/**
 * Runs a program without printing its output.
 *
 * @returns its standard output
 * @throws with the last lines of its output if it fails
 */
export function run(program: string, args: readonly string[], options: ExecFileSyncOptions = {}): string {
  try {
    const output = execFileSync(program, args, { maxBuffer: 2 ** 28, stdio: 'pipe', ...options });
    return String(output ?? '');
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: Buffer; stderr?: Buffer };
    const lines = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed: ${lines || message}`);
  }
}

/** Of the package in a folder, as its lock file says. */
export function installDependencies(folder: string): void {
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
}
