/** Chooses the file of a zip archive to import. */
import { InputError } from '../input-error.ts';
import { allExtensions } from './input-files.ts';
import type { ZipEntry } from './zip-archive.ts';

const maxNames = 10;

/** Files that operating systems add. */
const isSystemFile = (name: string) =>
  name.startsWith('__MACOSX/') || /(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/i.test(name);

const isData = ({ name }: ZipEntry) =>
  allExtensions.some((extension) => name.toLowerCase().replace(/\.gz$/, '').endsWith(extension));

/** @returns the only file with data; other files such as a readme are ignored @throws InputError */
export function chooseZippedFile(name: string, entries: readonly ZipEntry[]): ZipEntry {
  const files = entries.filter((entry) => entry.size > 0 && !isSystemFile(entry.name));
  const data = files.filter(isData);
  const [entry, ...others] = data.length > 0 ? data : files;
  if (entry === undefined) throw new InputError(`${name} is a zip archive without files, or all are empty.`);
  if (others.length === 0) return entry;
  const shown = [entry, ...others].slice(0, maxNames).map((each) => `"${each.name}"`);
  const more = others.length + 1 - shown.length;
  throw new InputError(
    `${name} has several files: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Unpack it, and import its folder or one file.`,
  );
}
