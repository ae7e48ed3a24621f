/** Drafts the mapping of a field for given columns, as a suggestion does and a form may. */
import { findField } from '../../../../contract/field.ts';
import { submissionFields } from '../../../../contract/resources/submission.ts';
import { combineDatePatterns } from '../../../../domain/sources/join-date-patterns.ts';
import type { ColumnSummary } from '../../../../domain/sources/suggested-mapping.ts';
import type { FieldMapping, TableMappingDraft } from '../../../../domain/sources/table-mapping.ts';
import { findStatusMark } from '../../../records/retraction-marks.ts';
import { splitWords } from '../../../records/vocabulary/split-words.ts';
import { findStatus, isNo } from '../../../records/vocabulary/vocabulary.ts';
import { createWordTest } from '../collect-skipped-rows.ts';

type Columns = readonly [ColumnSummary, ...ColumnSummary[]];

/**
 * @param field published name of a field, such as `createdAt`
 * @param columns several for joined texts, a date with a time, and an id
 * @returns the value of the field in a mapping; a list only for `id`
 */
export function draftFieldMapping(field: string, columns: Columns): string | string[] | FieldMapping {
  const [first, ...others] = columns;
  const names = columns.map(({ name }) => name);
  const source = others.length === 0 ? { column: first.name } : { columns: names };
  switch (findField(submissionFields, field)?.fromColumn?.kind) {
    case 'id':
      return others.length === 0 ? first.name : names;
    case 'time': {
      const date = combineDatePatterns(first.date?.pattern ?? 'ISO', others[0]?.time?.pattern);
      return { ...source, date, ...(names.some(namesUtc) && { timeZone: 'UTC' }) };
    }
    case 'count':
      return simplify({ column: first.name, ...draftSeparators(first) });
    case 'presence':
      return simplify({ column: first.name, ...draftYesAndNo(first) });
    case 'markup':
      return simplify({ ...source, ...(others.length > 0 && { join: '\n\n' }) });
    default:
      return field === 'status' ? { ...source, values: draftStatuses(first) } : simplify(source);
  }
}

/** `createdUtc`, and `post_date_gmt` of WordPress. */
const namesUtc = (name: string) => splitWords(name).some((word) => word === 'utc' || word === 'gmt');

/** A mapping with a column alone is written as the name of the column. */
function simplify(mapping: FieldMapping): string | FieldMapping {
  const { column } = mapping;
  return column !== undefined && Object.keys(mapping).length === 1 ? column : mapping;
}

function draftStatuses({ name, words }: ColumnSummary): Record<string, string> {
  return Object.fromEntries(
    (words ?? []).flatMap(({ word }) => {
      const status = findStatusMark(word) === undefined ? findStatus(word, name) : undefined;
      return status === undefined ? [] : [[word, status]];
    }),
  );
}

function draftSeparators({ number }: ColumnSummary): Pick<FieldMapping, 'thousands' | 'decimal'> {
  const { thousands, decimal } = number ?? {};
  return { ...(thousands !== undefined && { thousands }), ...(decimal !== undefined && { decimal }) };
}

/** At most this many words can mean yes and no. */
const maxYesAndNoWords = 4;

/** A column with few words in all its cells has words for yes and no; otherwise filled cells mean yes. */
function draftYesAndNo({ words }: ColumnSummary): Pick<FieldMapping, 'values' | 'default'> {
  if (words === null || words.length > maxYesAndNoWords || !words.some(({ word }) => isNo(word))) return {};
  const values = Object.fromEntries(words.map(({ word }) => [word, String(!isNo(word))]));
  const isCount = words.every(({ word }) => /^\d+$/.test(word));
  return { values, ...(isCount && { default: 'true' }) };
}

interface SkippedWords {
  /** As the file writes them. */
  inFile: ReadonlySet<string>;
  /** Those that the file lacks. */
  others: readonly string[];
}

/** @returns undefined for a column that `skip` names with `filled` and the like, instead of with words */
export function findSkippedWords(
  { name, words }: ColumnSummary,
  skip: TableMappingDraft['skip'] = {},
): SkippedWords | undefined {
  const given = Object.hasOwn(skip, name) ? skip[name] : [];
  if (!Array.isArray(given)) return undefined;
  const ofFile = (words ?? []).map(({ word }) => word);
  const [isSkipped, isInFile] = [createWordTest(given), createWordTest(ofFile)];
  return {
    inFile: new Set(ofFile.filter(isSkipped)),
    others: given.filter((word) => !isInFile(word)),
  };
}
