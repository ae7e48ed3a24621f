/** Decides which parts of a mapping a file has, by its columns. */

import type { TableMapping } from '../../../domain/table-mapping.ts';
import type { Reason } from '../../../reasons/reason.ts';
import { didYouMean } from '../../../text/did-you-mean.ts';
import { InputError } from '../../input-error.ts';
import { listColumns, normalizeWord } from './mapping-rules.ts';

export type MappingPart = 'submission' | 'session' | 'agenda';

/** @returns the parts of the mapping with all columns that they name */
function listParts({ submission, session, agenda }: TableMapping): [part: MappingPart, columns: string[]][] {
  return [
    ...(submission ? [['submission', listColumns(submission)] as [MappingPart, string[]]] : []),
    ...(session ? [['session', listColumns(session)] as [MappingPart, string[]]] : []),
    ...(agenda
      ? [
          ['agenda', [agenda.session, agenda.submission, agenda.order ?? []].flat()] as [
            MappingPart,
            string[],
          ],
        ]
      : []),
  ];
}

/** @returns every column that a part names */
export const listMappedColumns = (mapping: TableMapping): string[] =>
  listParts(mapping).flatMap(([, columns]) => columns);

/**
 * @param header undefined if the first line is unreadable
 * @returns the parts whose columns the file has
 * @throws InputError if it has those of no part, or lacks a column of `skip`
 */
export function findParts(
  name: string,
  mapping: TableMapping,
  header: readonly string[] | undefined,
): ReadonlySet<MappingPart> {
  if (header === undefined) throw new InputError({ code: 'mapping-header-unreadable', file: name });
  const findMissing = (columns: readonly string[]) => columns.filter((column) => !header.includes(column));
  const parts = listParts(mapping).map(([part, columns]) => ({ part, missing: findMissing(columns) }));
  const found = parts.filter(({ missing }) => missing.length === 0).map(({ part }) => part);
  const isAlone = parts.length === 1;
  const [nearest] = parts.toSorted((a, b) => a.missing.length - b.missing.length);
  const missing =
    found.length === 0
      ? nearest?.missing[0]
      : isAlone
        ? findMissing(Object.keys(mapping.skip ?? {}))[0]
        : undefined;
  if (missing !== undefined)
    throw new InputError(findMissingColumn(name, missing, header, isAlone ? undefined : nearest?.part));
  return new Set(found);
}

/** @throws InputError if no file has the columns of a part */
export function assertAllParts(mapping: TableMapping, found: ReadonlySet<MappingPart>): void {
  const missing = listParts(mapping).find(([part]) => !found.has(part));
  if (missing === undefined) return;
  const [part, columns] = missing;
  throw new InputError({ code: 'mapping-columns-missing', part, columns });
}

function findMissingColumn(
  file: string,
  missing: string,
  header: readonly string[],
  part: MappingPart | undefined,
): Reason {
  const similar =
    header.find((column) => normalizeWord(column) === normalizeWord(missing)) ?? didYouMean(missing, header);
  // Without a header the first line is a record, so the message does not quote it.
  return { code: 'mapping-column-missing', file, column: missing, part, similar };
}
