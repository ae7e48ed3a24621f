/** Ranks the columns of a table for each field, with the evidence. */
import type {
  ColumnSummary,
  Evidence,
  FieldCandidate,
} from '../../../../domain/sources/suggested-mapping.ts';
import { splitAddresses } from '../../../records/documents.ts';
import { splitWords } from '../../../records/vocabulary/split-words.ts';
import {
  findPersonalDataName,
  findPublicityName,
  findPublicityPart,
  findStatus,
  isCountName,
  isFieldName,
  isNo,
  isOtherNumberName,
  isTimeName,
  isWholeFieldName,
  type KnownName,
  type NamedField,
  rankColumnName,
} from '../../../records/vocabulary/vocabulary.ts';
import { maxRepeatedShare } from './count-distinct.ts';
import { draftFieldMapping } from './draft-field-mapping.ts';
import { saysApproval } from './draft-skip-rule.ts';
import type { ScannedColumn } from './scan-column.ts';

export interface RankedCandidate extends FieldCandidate {
  /** Whether the evidence is strong enough for a draft. */
  isLikely: boolean;
}

/** Of one field, in a suggestion. */
const maxCandidates = 6;

/** The status of a part, such as WordPress's `comment_status`, is none of the record. */
const partWord = /^(?:comments?|ping|kommentare?)$/;

/** A field with the columns that fit it by their values. */
interface FieldFit {
  fits(column: ScannedColumn): boolean;
  describe(column: ScannedColumn, rows: number): Evidence[];
  /** Whether columns with an unknown name can be used if no column has a known one. */
  isLikelyWithoutName?(column: ScannedColumn): boolean;
  /** The higher, the better, before the name counts. */
  score?(column: ScannedColumn): number;
}

const isUrl = (value: string) => /^(?:https?:\/\/|www\.)\S+$/i.test(value);
const hasUrls = ({ values }: ScannedColumn) => values.filter(isUrl).length * 2 > values.length;

const isDocument = (value: string) => /\.(?:pdf|docx?|odt|xlsx?|pptx?|zip|jpe?g|png)(?:[?#]|$)/i.test(value);

/** Addresses in one cell. */
const isLinkList = (value: string) =>
  splitAddresses(value).every((address) => /^https?:\/\/\S/i.test(address));

/** Minutes have a field of their own, `protocolUrl`. */
const minutesWord = /protocol|protok|minutes|niederschrift|verslag|notulen|verbal|acta|proc[eè]s/i;

const hasLetters = ({ values }: ScannedColumn) => values.some((value) => /\p{L}/u.test(value));

/** One value for all rows says nothing about a row. */
export const varies = ({ summary: { distinct, filled } }: ScannedColumn) => distinct > 1 || filled === 1;

const describeFill = ({ summary: { filled } }: ScannedColumn, rows: number): Evidence[] => [
  { kind: 'filled', filled, rows },
];

const describeTexts = (column: ScannedColumn, rows: number): Evidence[] => [
  ...describeFill(column, rows),
  {
    kind: 'texts',
    distinct: column.summary.distinct,
    length: Math.round(computeMeanLength(column)),
    isExact: column.summary.isDistinctExact,
  },
];

const words: FieldFit = { fits: (column) => hasLetters(column) && !hasUrls(column), describe: describeTexts };
const texts: FieldFit = { ...words, fits: (column) => words.fits(column) && varies(column) };

const dates: FieldFit = {
  // A number of things can look like a year.
  fits: ({ summary: { name, date, filled } }) =>
    date !== null && date.matched * 2 >= filled && !(date.pattern === 'YYYY' && isCountName(name)),
  describe: ({ summary: { date, filled } }) =>
    date ? [{ kind: 'dates', pattern: date.pattern, matched: date.matched, filled }] : [],
};

/** A column of numbers may contain a few other cells, which the import rejects. */
const minNumberShare = 0.9;
/** Different words of a status column. */
export const maxStatuses = 30;
const minKnownShareWithoutName = 0.6;
const minTextLength = 25;
/** "Ja" in a column of responses does not answer a citizen. */
const minAnswerLength = 15;

const fits: Partial<Record<NamedField, FieldFit>> = {
  description: {
    ...texts,
    isLikelyWithoutName: (column) => computeMeanLength(column) >= minTextLength,
  },
  createdAt: { ...dates, isLikelyWithoutName: () => true },
  statusChangedAt: dates,
  status: {
    fits: ({ summary }) => {
      const { name, words, date } = summary;
      return (
        words !== null &&
        words.length <= maxStatuses &&
        date === null &&
        !isTimeName(name) &&
        !isWholeFieldName('answer', name) &&
        !splitWords(name).some((word) => partWord.test(word)) &&
        findPublicityName(findPublicityPart(name)) === undefined &&
        !saysApproval(summary, { timeZone: 'UTC' })
      );
    },
    describe: ({ summary: { name, words } }) => [
      { kind: 'statuses', known: countKnownStatuses(name, words), words: words?.length ?? 0 },
    ],
    isLikelyWithoutName: ({ summary: { name, words } }) =>
      countKnownStatuses(name, words) >= Math.max(2, (words?.length ?? 0) * minKnownShareWithoutName),
    score: ({ summary: { name, words } }) => countKnownStatuses(name, words) / (words?.length || 1),
  },
  supportCount: {
    fits: ({ summary: { name, number, filled, date } }) =>
      number !== null &&
      date === null &&
      number.matched >= filled * minNumberShare &&
      !isOtherNumberName(name),
    describe: ({ summary: { number, filled } }) => [
      { kind: 'numbers', matched: number?.matched ?? 0, filled },
    ],
  },
  title: texts,
  answer: {
    ...texts,
    fits: (column) =>
      texts.fits(column) && column.summary.date === null && computeMeanLength(column) >= minAnswerLength,
  },
  referenceNumber: {
    // The number of a ward or of a house, which many records share, refers to the ward or the house.
    fits: (column) =>
      !hasUrls(column) &&
      !isRowNumberName(column.summary.name) &&
      column.summary.distinct * 2 > column.summary.filled,
    describe: ({ summary: { distinct, isDistinctExact } }, rows) => [
      { kind: 'distinct', distinct, rows, isExact: isDistinctExact },
    ],
  },
  // "Request type" rather than "system type".
  topicCategoryName: {
    ...words,
    score: ({ summary: { name } }) =>
      Number(splitWords(name).length > 1 && isWholeFieldName('topicCategoryName', name)),
  },
  priorityLevel: {
    ...texts,
    fits: (column) => texts.fits(column) && (column.summary.words?.length ?? Infinity) <= maxStatuses,
  },
  committeeName: words,
  hasAttachments: {
    // Some systems have a picture of the category where a request has none.
    fits: ({ isFull, summary: { distinct, filled, words } }) =>
      !isFull || distinct * 2 > filled || words?.some(({ word }) => isNo(word)) === true,
    describe: describeFill,
  },
  documents: {
    fits: (column) =>
      varies(column) &&
      column.values.filter(isLinkList).length * 2 > column.values.length &&
      !minutesWord.test(column.summary.name),
    describe: ({ values }) => [
      { kind: 'addresses', matched: values.filter(isLinkList).length, examined: values.length },
    ],
    isLikelyWithoutName: ({ values }) => values.filter(isDocument).length * 2 > values.length,
  },
  sourceUrl: {
    fits: (column) =>
      hasUrls(column) &&
      varies(column) &&
      column.values.filter(isDocument).length * 2 <= column.values.length &&
      rankColumnName('hasAttachments', column.summary.name) === undefined,
    describe: ({ values }) => [
      { kind: 'addresses', matched: values.filter(isUrl).length, examined: values.length },
    ],
  },
};

/** Columns such as "Request type" have a word for a text, but contain topics. */
const topicWord =
  /^(?:type|category|kind|class|typ|art|kategorie|tipo|tipus|categor[ií]a|catégorie|soort|rodzaj|kategoria)$/;

/** Words of a name that say nothing about the kind of a priority. */
const gradeWord =
  /^(?:level|name|code|description|stufe|grad|nivel|niveau|niveli?|livello|poziom|of|der|des|de|del|du|di|d)$/;

/** The severity of a delay is not the priority of the record: all other words must be those of a record. */
const isOwnPriority = (name: string): boolean =>
  splitWords(name).every(
    (word) =>
      rankColumnName('priorityLevel', word) !== undefined || gradeWord.test(word) || isFieldName(word),
  );

/** The reason of a deletion or a rejection, such as "trashedReason", is no topic. */
const isReasonOfEnd = (name: string): boolean => {
  const words = splitWords(name);
  return words.includes('reason') && words.some((word) => endWord.test(word));
};
const endWord = /^(?:trash|reject|declin|clos|delet|remov|hid|cancel)/;

function rankName(field: NamedField, { summary: { name } }: ScannedColumn): KnownName | undefined {
  if (field === 'priorityLevel' && !isOwnPriority(name)) return undefined;
  if (field === 'topicCategoryName' && isReasonOfEnd(name)) return undefined;
  const isText = field === 'title' || field === 'description';
  if (!isText) return rankColumnName(field, name);
  // The title of a document is none of the record, and the name of a body no text.
  if (splitWords(name).length > 1 && rankColumnName('hasAttachments', name) !== undefined) return undefined;
  if (field === 'description' && /^names?$/.test(splitWords(name).at(-1) ?? '')) return undefined;
  const [parent, member] = splitMember(name);
  // The title of a nested request type is none of the request.
  if (parent !== '' && isFieldName(parent) && rankColumnName(field, parent) === undefined) return undefined;
  if (topicWord.test(splitWords(member).at(-1) ?? '')) return undefined;
  const known = rankColumnName(field, name) ?? findTitlePart(field, name);
  // Only values that are no people are not personal data.
  if (known !== undefined || field !== 'title' || findPersonalDataName(name) !== 'names') return known;
  return { rank: Number.MAX_SAFE_INTEGER, spelling: name };
}

/** German compounds, such as Geschäftstitel. */
const titlePart = /(?<!unter|zwischen)titel$/;

const findTitlePart = (field: NamedField, name: string): KnownName | undefined =>
  field === 'title' && splitWords(name).some((word) => titlePart.test(word))
    ? { rank: Number.MAX_SAFE_INTEGER, spelling: 'titel' }
    : undefined;

function splitMember(name: string): [parent: string, member: string] {
  const at = name.lastIndexOf('.');
  return [name.slice(0, Math.max(0, at)), name.slice(at + 1)];
}

function countKnownStatuses(name: string, words: ColumnSummary['words']): number {
  return words?.filter(({ word }) => findStatus(word, name) !== undefined).length ?? 0;
}

const computeMeanLength = ({ values }: ScannedColumn) =>
  values.reduce((sum, value) => sum + value.length, 0) / Math.max(values.length, 1);

const isUsable = ({ summary, isIdentifier }: ScannedColumn) =>
  summary.filled > 0 && summary.personalData === null && !isIdentifier;

/** @returns the likeliest candidate first */
export function rankCandidates(
  field: NamedField,
  columns: readonly ScannedColumn[],
  rows: number,
): RankedCandidate[] {
  const { fits: fitsValues, describe, isLikelyWithoutName, score = () => 0 } = fits[field] ?? anyColumn;
  const found = columns
    .filter((column) => isUsable(column) && fitsValues(column))
    .map((column) => {
      const name = rankName(field, column);
      return { column, name, isLikely: name !== undefined || isLikelyWithoutName?.(column) === true };
    })
    .filter(({ isLikely }) => isLikely)
    .toSorted(
      (a, b) =>
        Number(b.name !== undefined) - Number(a.name !== undefined) ||
        score(b.column) - score(a.column) ||
        (a.name?.rank ?? 0) - (b.name?.rank ?? 0),
    );
  return found.slice(0, maxCandidates).map(({ column, name, isLikely }) => ({
    columns: [column.summary.name],
    mapping: draftFieldMapping(field, [column.summary]),
    evidence: [...describeName(name), ...describe(column, rows)],
    isLikely,
  }));
}

const anyColumn: FieldFit = { fits: () => true, describe: describeFill };

const describeName = (name: { spelling: string } | undefined): Evidence[] =>
  name === undefined ? [] : [{ kind: 'name', word: name.spelling }];

/** Systems number their rows in `_id`, `:id`, `OBJECTID` or `lfdNr`, and may number them anew when the data is loaded again. */
export const isRowNumberName = (name: string) =>
  /^(?:[_:]|(?:row|object)_? ?id(?![a-z])|fid$|lfd|laufende|row_? ?(?:no|number)(?![a-z])|pos$|#$)/i.test(
    name,
  );

/** @returns columns that identify rows, the likeliest first, and then columns with the name of an identifier */
export function rankKeys(
  columns: readonly ScannedColumn[],
  combinedKey: readonly string[],
  rows: number,
): RankedCandidate[] {
  const ranked = columns
    .filter(({ summary }) => summary.filled > 0 && summary.personalData === null)
    .map((column) => {
      const { name, distinct } = column.summary;
      const isUnique = column.isFull && column.repeated === 0;
      // The status of a case identifies no case.
      const isStatus = rankColumnName('status', splitWords(name).at(-1) ?? '') !== undefined;
      const known = isCountName(name) || isStatus ? undefined : rankColumnName('id', name);
      // An export may repeat rows, and people mistype a number. The dry run counts those with other contents.
      const isRepeated =
        !isUnique &&
        known !== undefined &&
        column.isFull &&
        (column.isIdentifier ? distinct * 2 > rows : looksLikeKey(column) && isAlmostUnique(column));
      const isKey =
        isRepeated || (isUnique && (known !== undefined || (looksLikeKey(column) && isNumbered(column))));
      return { column, known, isUnique, isKey };
    })
    .filter(({ known, isKey }) => known !== undefined || isKey)
    .toSorted(
      (a, b) =>
        Number(b.isUnique) - Number(a.isUnique) ||
        Number(b.known !== undefined) - Number(a.known !== undefined) ||
        Number(isRowNumberName(a.column.summary.name)) - Number(isRowNumberName(b.column.summary.name)) ||
        (a.known?.rank ?? 0) - (b.known?.rank ?? 0),
    )
    .map(({ column: { summary, values }, known, isKey }) => ({
      columns: [summary.name],
      mapping: draftFieldMapping('id', [summary]),
      evidence: [
        ...describeName(known),
        { kind: 'distinct' as const, distinct: summary.distinct, rows, isExact: summary.isDistinctExact },
      ],
      isLikely: isKey,
      isNamed: known !== undefined,
      isCode: values.every((value) => /^(?=.*\d)(?=.*\p{L})/u.test(value)),
    }));
  const combined =
    combinedKey.length === 0
      ? []
      : [
          {
            columns: [...combinedKey],
            mapping: [...combinedKey],
            evidence: [{ kind: 'distinct' as const, distinct: rows, rows, isExact: true }],
            isLikely: true,
            isNamed: false,
            isCode: false,
          },
        ];
  const likely = ranked.filter(({ isLikely }) => isLikely);
  const isRowNumber = ({ columns: [name = ''] }: RankedCandidate) => isRowNumberName(name);
  const named = likely.filter((key) => key.isNamed && !isRowNumber(key));
  // A title may change, and a number of a place may be unique by chance; a code such as VO/2026/0815 names the record.
  const codes = likely.filter(({ isNamed, isCode }) => isCode && !isNamed);
  const rowNumbers = likely.filter((key) => key.isNamed && isRowNumber(key));
  return [...new Set([...named, ...codes, ...rowNumbers, ...combined, ...ranked])].slice(0, maxCandidates);
}

/** A column with a few repetitions identifies rows nevertheless. */
const isAlmostUnique = ({ repeated, summary: { distinct } }: ScannedColumn) =>
  distinct > 1 && repeated <= Math.max(1, distinct * maxRepeatedShare);

/** Fewer rows have different values by chance. */
const minRowsOfUnknownKey = 20;

/**
 * Whether the values of a column with an unknown name are those of an identifier, and no counts: codes with letters, running
 * numbers, numbers of one length, or numbers in order.
 */
function isNumbered({ values }: ScannedColumn): boolean {
  if (values.some((value) => !/^\d+$/.test(value))) return true;
  if (values.every((value, index) => value === String(index + 1))) return true;
  const isOneLength = values.every(({ length }) => length === values[0]?.length);
  const isInOrder = values.every(
    (value, index) => index === 0 || BigInt(value) > BigInt(values[index - 1] ?? 0),
  );
  return values.length >= minRowsOfUnknownKey && (isOneLength || isInOrder);
}

const otherNumbers: readonly NamedField[] = [
  'supportCount',
  'title',
  'status',
  'createdAt',
  'statusChangedAt',
];

/** Short, with a digit and without blanks: neither a text nor a date nor a count. */
function looksLikeKey({ values, summary: { name, date } }: ScannedColumn): boolean {
  return (
    date === null &&
    values.every((value) => /^(?=.*\d)[^\s,]{1,40}$/.test(value)) &&
    !isCountName(name) &&
    !otherNumbers.some((field) => rankColumnName(field, name))
  );
}
