/** The programs of `examples/api/`, which the page about samples links to. */
import { basename, extname, posix } from 'node:path';
import { listAssets } from '../../assets/assets.ts';
import { createStaticFiles, type StaticFile } from '../../http/static-files.ts';
import { docsPath } from './articles.ts';

const extensions = ['.sh', '.py', '.ts', '.R'];

/** Names of assets by the name of the file, which is unique, because each language has its own extension. */
const sources = Object.fromEntries(
  listAssets('examples/api')
    .filter((asset) => extensions.includes(extname(asset)))
    .map((asset) => [basename(asset), asset]),
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
