/** Notes a file whose name, or whose folder in an archive, says that its records are not public: "Interne Vorgänge.csv". */
import { basename } from 'node:path';
import type { ImportObserver } from '../records/import-observer.ts';
import { isPrivateHeading } from '../records/retraction-marks.ts';
import type { InputFile } from './input-files.ts';

/** Folders of the machine say nothing about the records. */
export function noteFileName({ name, entry }: InputFile, { onNote }: Pick<ImportObserver, 'onNote'>): void {
  const outer = entry === undefined ? name : name.slice(0, -entry.fileName.length - 1);
  const parts = [basename(outer), ...(entry?.fileName.split('/') ?? [])];
  const found = parts.find((part) => isPrivateHeading(part.replace(/(?:\.\p{L}{1,5}){1,2}$/u, '')));
  if (found !== undefined) onNote?.({ code: 'file-may-withhold', file: found });
}
