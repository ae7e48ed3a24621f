/** The programs of `examples/api/`, which the page about samples links to. */
import { readdirSync } from 'node:fs';
import { basename, extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStaticFiles, type StaticFile } from '../../http/static-files.ts';
import { docsPath } from './articles.ts';

const folder = fileURLToPath(new URL('../../../examples/api', import.meta.url));

const extensions = ['.sh', '.py', '.ts', '.R'];

/** Paths in the file system, by name. Names are unique, because each language has its own extension. */
const sources = Object.fromEntries(
  readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((path) => extensions.includes(extname(path)))
    .map((path) => [basename(path), join(folder, path)]),
);

const files = createStaticFiles(`${docsPath}/samples/`, sources);

export const listSampleFiles = (): StaticFile[] => files.list();

/** @returns the target of a link in a file of `docs/`; undefined if it does not lead to a sample */
export function resolveSampleLink(file: string, href: string): string | undefined {
  const path = posix.join(posix.dirname(file), href);
  const name = posix.basename(path);
  return path.startsWith('../examples/api/') && Object.hasOwn(sources, name)
    ? files.getPath(name)
    : undefined;
}
