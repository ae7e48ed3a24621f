/** Signatures of OpenPGP, because apt accepts no others (docs/decisions/0098). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MissingPartError, run } from './programs.ts';
import type { Release } from './steps.ts';

/** Name of the file with the public key, for `gpgv` and for `Signed-By` of apt. */
const keyring = 'rostra-archive-keyring.gpg';

/**
 * @param kind flag of gpg
 * @param file path in the folder of the release
 * @throws MissingPartError in a rehearsal without a key
 */
export function sign(release: Release, kind: string, file: string, signature: string): void {
  const [input, output] = [join(release.output, file), join(release.output, signature)];
  withKey(release, (gpg, seconds) =>
    gpg(
      '--faked-system-time',
      `${seconds}!`,
      '--digest-algo',
      'SHA512',
      '--armor',
      '--output',
      output,
      kind,
      input,
    ),
  );
}

export const exportPublicKey = (release: Release): void =>
  withKey(release, (gpg) =>
    gpg('--export-options', 'export-minimal', '--output', join(release.output, keyring), '--export'),
  );

type Gpg = (...args: string[]) => string;

/**
 * Imports the key into a temporary keyring, so that gpg uses no other key.
 *
 * @param use gets the time of signatures: that of the commit, so that the same commit results in the same bytes, or that of
 *   the key if it is newer
 */
function withKey({ key, folder, date }: Release, use: (gpg: Gpg, seconds: number) => void): void {
  if (key === undefined) throw new MissingPartError('the rehearsal has no key');
  const home = mkdtempSync(join(folder, 'gpg-'));
  // The agent asks for a passphrase on the terminal.
  const gpg: Gpg = (...args) =>
    run('gpg', ['--homedir', home, '--quiet', '--yes', ...args], { stdio: ['inherit', 'pipe', 'pipe'] });
  try {
    gpg('--batch', '--import', key);
    const created = [
      ...gpg('--list-secret-keys', '--with-colons').matchAll(/^(?:sec|ssb)(?::[^:]*){4}:(\d+)/gm),
    ];
    if (created.length === 0) throw new Error(`${key} contains no secret key.`);
    use(gpg, Math.max(date.getTime() / 1_000, ...created.map(([, seconds]) => Number(seconds))));
  } finally {
    spawnSync('gpgconf', ['--homedir', home, '--kill', 'all']);
    rmSync(home, { recursive: true, force: true });
  }
}
