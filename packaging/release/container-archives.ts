/** Archives of the container image, one for each platform, without a daemon. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../package-folder.ts';
import type { Target } from '../targets.ts';
import { MissingPartError, run } from './programs.ts';
import type { Release } from './steps.ts';

const containerFile = 'packaging/container/Containerfile';

/** The base images in the container file, by their argument. */
export function readBaseImages(): { LIBRARIES: string; BASE: string } {
  const text = readFileSync(join(checkout, containerFile), 'utf8');
  return Object.fromEntries([...text.matchAll(/^ARG (LIBRARIES|BASE)=(\S+)$/gm)].map(([, ...pair]) => pair));
}

/**
 * Writes `rostra_<version>_linux_<architecture>.oci.tar`.
 *
 * @throws MissingPartError if a base image cannot be fetched
 */
export function buildContainerArchive(release: Release, { architecture }: Target): void {
  const { version, commit, date, tree, folder, output } = release;
  const storage = join(folder, `containers-${architecture}`);
  const flags = [
    '--root',
    join(storage, 'root'),
    '--runroot',
    join(storage, 'run'),
    '--storage-driver',
    'vfs',
  ];
  const buildah = (...args: string[]) => run('buildah', [...flags, ...args], { cwd: tree });
  const images = readBaseImages();
  try {
    for (const image of Object.values(images)) pull(buildah, image, architecture);
    const [name, digest] = images.BASE.split('@') as [string, string];
    const labels = {
      title: 'Rostra',
      version,
      revision: commit,
      created: date.toISOString(),
      licenses: 'EUPL-1.2',
      'base.name': name,
      'base.digest': digest,
    };
    buildah(
      'build',
      '--file',
      containerFile,
      '--platform',
      `linux/${architecture}`,
      '--timestamp',
      String(date.getTime() / 1_000),
      ...Object.entries(labels).flatMap(([label, value]) => [
        '--label',
        `org.opencontainers.image.${label}=${value}`,
      ]),
      '--tag',
      `rostra:${version}`,
      'dist/packages',
    );
    const archive = join(output, `rostra_${version}_linux_${architecture}.oci.tar`);
    buildah('push', `rostra:${version}`, `oci-archive:${archive}:rostra:${version}`);
  } finally {
    rmSync(storage, { recursive: true, force: true });
  }
}

function pull(buildah: (...args: string[]) => string, image: string, architecture: string): void {
  try {
    buildah('pull', '--platform', `linux/${architecture}`, image);
  } catch (error) {
    const reason = (error as Error).message.split('\n').at(-1);
    throw new MissingPartError(`the base image ${image} cannot be fetched: ${reason}`);
  }
}
