/** The files of `docs/` that the installation serves, as pages with the same content. */
import { basename, extname, posix } from 'node:path';
import { basePath } from '../../../contract/operations.ts';
import { listAssets, readTextAsset } from '../../../platform/assets.ts';
import { createStaticFiles, type StaticFile } from '../../../platform/http/static-files.ts';

export const docsPath = '/docs';

/** Path of the URL, by file. The first article is the guide. */
const pathsByFile = new Map([
  ['api.md', docsPath],
  ['assistants.md', `${docsPath}/assistants`],
  ['samples.md', `${docsPath}/samples`],
  ['mirroring.md', `${docsPath}/mirroring`],
  ['versioning.md', `${docsPath}/versioning`],
  ['api-changelog.md', `${docsPath}/api-changelog`],
  ['importing/surveys.md', `${docsPath}/importing/surveys`],
]);

/** File, by path of the URL. */
export const articleFiles = new Map([...pathsByFile].map(([file, path]) => [path, file]));

/** The origin and the base URL in the examples of the files. */
export const exampleOrigin = 'http://127.0.0.1:8080';
export const exampleBaseUrl = `${exampleOrigin}${basePath}`;

/** Of the same page as Markdown. @param path of the page, which may have an anchor */
export const toMarkdownPath = (path: string): string => path.replace(/(?=#)|$/, '.md');

/** @returns Markdown */
export const readArticle = (file: string): string => readTextAsset(`docs/${file}`);

/** @returns the name of an article in lists of pages */
export const readArticleTitle = (path: string, file: string): string =>
  path === docsPath ? 'Guide and reference' : (/^# (.+)$/m.exec(readArticle(file))?.[1] ?? file);

/** @returns the target of a link in a file; undefined if the installation does not serve it */
export function resolveArticleLink(file: string, href: string): string | undefined {
  if (/^(#|https:)/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const path = pathsByFile.get(posix.join(posix.dirname(file), target));
  return path === undefined || fragment === undefined ? path : `${path}#${fragment}`;
}

const extensions = ['.sh', '.py', '.ts', '.R'];

/** The programs of `examples/api/`, which the page about samples links to: names of assets by the name of the file, which is unique, because each language has its own extension. */
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
