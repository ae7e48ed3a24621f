/** Drafts `skip` for columns and statuses that seem to say which rows are public. */
import { isPublished } from '../../../../domain/records/is-draft.ts';
import type { ColumnSummary, WordCount } from '../../../../domain/sources/suggested-mapping.ts';
import type { SkippedValue } from '../../../../domain/sources/table-mapping.ts';
import {
  type DatePlace,
  findStatusMark,
  gradesPublic,
  isReleased,
  mayGradeConfidential,
} from '../../../records/retraction-marks.ts';
import {
  findPublicationLimit,
  findPublicityFlag,
  findPublicityName,
  findPublicityPart,
  findStatus,
  isFlag,
  isWholePublicityFlag,
  rankColumnName,
} from '../../../records/vocabulary/vocabulary.ts';
import { createCellTest } from '../collect-skipped-rows.ts';
import type { ScannedColumn } from './scan-column.ts';

interface SkippedColumn {
  column: string;
  value: SkippedValue | string[];
  /** Rows of this file that it leaves out. */
  count: number;
  /** Of these rows. An empty one stands for empty cells. Empty if the column has too many. */
  words: string[];
  /** If it leaves out single words: the others that do not say that a row is public. */
  others: WordCount[];
}

/**
 * Also without such a row in this file: a later one may have some.
 *
 * @param columns those without a field, and the one with the status
 * @param rows of the table
 */
export function draftSkipRule(
  columns: readonly ScannedColumn[],
  status: string | undefined,
  rows: number,
  place: DatePlace,
): SkippedColumn[] {
  return columns.flatMap((column): SkippedColumn[] => {
    const { name, filled, words } = column.summary;
    const value = chooseSkippedValue(column, status, place);
    if (value === undefined) return [];
    const isSkipped = createCellTest(value, name, place);
    if (words === null) {
      const empty = value === 'not yes' ? rows - filled : 0;
      const count = value === 'filled' ? filled : empty + column.values.filter(isSkipped).length;
      return [{ column: name, value, count, words: [], others: [] }];
    }
    const cells = [...words, ...(filled < rows ? [{ word: '', count: rows - filled }] : [])];
    const skipped = cells.filter(({ word }) => isSkipped(word));
    const count = skipped.reduce((sum, { count }) => sum + count, 0);
    const others =
      typeof value === 'string'
        ? []
        : words.filter(({ word }) => !isSkipped(word) && !isReleased(word, place) && !gradesPublic(word));
    return [{ column: name, value, count, words: skipped.map(({ word }) => word), others }];
  });
}

/** @returns undefined for a column that says nothing about publicity */
function chooseSkippedValue(
  { summary }: ScannedColumn,
  status: string | undefined,
  place: DatePlace,
): SkippedValue | string[] | undefined {
  const { name, filled, words, date, personalData } = summary;
  const part = findPublicityPart(name);
  const limit = findPublicationLimit(part);
  if (limit !== undefined && (date !== null || filled === 0)) return limit;
  const publicity = findPublicityName(part);
  if (publicity === 'withheld') return personalData?.kind === 'notes' ? undefined : 'filled';
  // Rows without a word for a release, or without its date, are not released. An empty column and one of texts say nothing.
  if (publicity === 'released')
    return filled === 0 ? 'no' : date === null && words === null ? undefined : 'not yes';
  const hasFlags = words !== null && words.length > 0 && words.every(({ word }) => isFlag(word));
  const flag = findPublicityFlag(part);
  // "Entfernt am"
  if (flag === 'withheld' && (hasFlags || (date !== null && isWholePublicityFlag(part)))) return 'filled';
  if (flag === 'released' && (hasFlags || saysApproval(summary, place))) return 'not yes';
  const isStatus = name === status || rankColumnName('status', name) !== undefined;
  const withheld = (words ?? [])
    .map(({ word }) => word)
    .filter((word) => (isStatus && findStatusMark(word) !== undefined) || mayGradeConfidential(word, name));
  if (withheld.length === 0) return undefined;
  return isStatus && saysOnlyPublicity(words ?? [], name) ? 'not yes' : withheld;
}

/** Whether a column such as "moderator_status" has a word that releases a row: "approved", but not "ACCEPTED" and "REJECTED". */
export const saysApproval = ({ name, words }: ColumnSummary, place: DatePlace): boolean =>
  /(?:state|status)$/i.test(name) &&
  isWholePublicityFlag(findPublicityPart(name)) &&
  words?.some(({ word }) => isReleased(word, place)) === true;

/** Whether a word releases a row, and none says how far its request is: publish, private, future, pending. */
const saysOnlyPublicity = (words: readonly WordCount[], column: string): boolean =>
  words.some(({ word }) => isPublished(word)) &&
  words.every(({ word }) => isPublished(word) || [undefined, 'submitted'].includes(findStatus(word, column)));
