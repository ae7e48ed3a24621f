/** The documents of papers and meetings: files that they embed, or refer to. */
import type { DocumentLink } from '../../../contract/resources/extension-fields.ts';
import type { DocumentKind } from '../../../domain/organizations/placeholder-words.ts';
import type { Spool } from '../../readers/json-lines-spool.ts';
import { type SourceDocument, toDocuments } from '../../records/documents.ts';
import { isObject } from '../../records/field-validation.ts';
import type { RecordOptions } from '../../records/parse-record.ts';
import { containsAny, isPublicFile, type OparlObject, saysPublicFile, toText } from './oparl-object.ts';
import { type FileState, type RelationIndex, rankState } from './relation-index.ts';

/** The properties with files, in the order in which the documents are published. */
const fileProperties = {
  mainFile: 'document',
  invitation: 'invitation',
  resultsProtocol: 'minutes',
  verbatimProtocol: 'verbatimMinutes',
  auxiliaryFile: 'attachment',
} as const satisfies Record<string, DocumentKind>;

export const filePropertyNames = Object.keys(fileProperties) as (keyof typeof fileProperties)[];

/** A file whose newest state is unknown until the whole input is read. */
export interface PendingFile {
  kind: DocumentKind;
  /** Embedded files may lack one. */
  id: string | undefined;
  /** Missing for a reference. */
  embedded?: FileState;
}

/** A file that is an object of its own. */
export interface SeparateFile extends FileState {
  id: string;
}

/** Files of a property: embedded objects, and URLs of objects. Some systems have a list where the standard has one file. */
export const listFiles = (value: unknown): (string | Record<string, unknown>)[] =>
  [value]
    .flat()
    .filter((file): file is string | Record<string, unknown> =>
      typeof file === 'string' ? file !== '' : isObject(file),
    );

/** Only those that may be public. References are such files. */
export const listPublicFiles = (value: unknown) =>
  listFiles(value).filter((file) => typeof file === 'string' || isPublicFile(file));

export const parseFiles = (object: OparlObject): PendingFile[] =>
  filePropertyNames.flatMap((property) =>
    listFiles(object[property]).map((file): PendingFile => {
      const { [property]: kind } = fileProperties;
      if (typeof file === 'string') return { kind, id: file };
      return { kind, id: typeof file.id === 'string' ? file.id : undefined, embedded: parseFile(file) };
    }),
  );

export function parseFile(file: Record<string, unknown>): FileState {
  const isWithheld = !isPublicFile(file);
  const state = rankState(file, isWithheld);
  if (isWithheld) return { state };
  const { accessUrl, downloadUrl, mimeType } = file;
  return {
    state,
    ...(saysPublicFile(file) && { saysPublic: true }),
    ...(isMinutesFile(file) && { isMinutes: true }),
    document: { title: getFileTitle(file), addresses: [accessUrl, downloadUrl], mediaType: mimeType },
  };
}

/** Some systems write the name of the file, which can have the name of a person, as the name of the document. */
export function getFileTitle({ name, fileName }: Record<string, unknown>): string {
  const title = toText(name);
  return title === fileName && /\.[a-z\d]{2,5}$/i.test(title) ? '' : title;
}

/** Memory holds only files that papers and meetings have. */
export async function indexFiles(
  files: Spool<SeparateFile>,
  holders: readonly Spool<{ files: readonly PendingFile[] }>[],
  index: RelationIndex,
): Promise<void> {
  const wanted = new Set<string>();
  for (const holder of index.hasSeparateFiles ? holders : [])
    for await (const { files: own } of holder.values())
      for (const { id } of own) if (id !== undefined) wanted.add(id);
  for await (const { id, ...file } of files.values())
    if (wanted.has(id) && file.state >= (index.files.get(id)?.state ?? 0)) index.files.set(id, file);
}

/** Stored objects have a mark in place of the name of the file, which can have the name of a person. */
export const isMinutesFile = ({ name, fileName, isMinutes }: Record<string, unknown>): boolean =>
  isMinutes === true || containsAny(`${toText(name)} ${toText(fileName)}`, ['protokoll', 'niederschrift']);

/** @param isNonPublic whether they are of a meeting that is not public: then those but the invitation are left out, unless they say that they are public */
export function resolveDocuments(
  files: readonly PendingFile[],
  { files: separate }: RelationIndex,
  options: Pick<RecordOptions, 'language' | 'observer'>,
  isNonPublic = false,
): DocumentLink[] {
  const newest = files.flatMap(({ kind, id, embedded }) => {
    const other = id === undefined ? undefined : separate.get(id);
    const state = other !== undefined && other.state >= (embedded?.state ?? 0) ? other : embedded;
    return state?.document === undefined ? [] : [{ ...state, kind, document: state.document }];
  });
  // "Niederschrift öffentlich" shows that a part of the meeting was public.
  const hasPublicPart = newest.some(({ saysPublic }) => saysPublic);
  const isPublic = ({ kind, saysPublic, isMinutes }: (typeof newest)[number]) =>
    saysPublic || kind === 'invitation' || (kind === 'attachment' && !isMinutes && hasPublicPart);
  const found = newest
    .filter((file) => !isNonPublic || isPublic(file))
    .map(({ kind, document }): SourceDocument => ({ kind, ...document }));
  const isMissing = files.some(({ id, embedded }) => embedded === undefined && !separate.has(id ?? ''));
  if (isMissing) options.observer.onLeftOutValue?.({ code: 'document-file-missing' });
  return toDocuments(found, options);
}
