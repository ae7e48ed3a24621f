/** The mapping that a form describes. The form changes columns, dates and statuses; all other keys stay as they were. */
import { isDeepStrictEqual } from 'node:util';
import { type ColumnKind, findField, isRequired as isRequiredField } from '../../../../../contract/field.ts';
import {
  type SubmissionField,
  submissionFieldNames,
  submissionFields,
} from '../../../../../contract/resources/submission.ts';
import type { Reason } from '../../../../../domain/reasons/reason.ts';
import { splitDatePatterns } from '../../../../../domain/sources/join-date-patterns.ts';
import type {
  ColumnSummary,
  FieldCandidate,
  SuggestedMapping,
} from '../../../../../domain/sources/suggested-mapping.ts';
import {
  type FieldMapping,
  type SkippedValue,
  type SubmissionMapping,
  skippedValues,
  type TableMappingDraft,
} from '../../../../../domain/sources/table-mapping.ts';
import {
  InvalidDatePatternError,
  parseDatePatterns,
} from '../../../../../ingest/formats/table/parse-date-pattern.ts';
import {
  draftFieldMapping,
  findSkippedWords,
} from '../../../../../ingest/formats/table/suggestion/draft-field-mapping.ts';

const getColumnKind = (field: SubmissionField) => findField(submissionFields, field)?.fromColumn?.kind;

export const isRequired = (field: SubmissionField): boolean => isRequiredField(submissionFields[field]);
export const isTime = (field: SubmissionField): boolean => getColumnKind(field) === 'time';

const combinedKinds: readonly (ColumnKind | undefined)[] = ['id', 'markup', 'time', 'links', 'point'];

/** Whether two columns can fill the field, such as a date and a time. */
export const isCombined = (field: SubmissionField): boolean => combinedKinds.includes(getColumnKind(field));

/** In the order of the form: the required ones first. */
export const mappedFields: readonly SubmissionField[] = [
  ...submissionFieldNames.filter(isRequired),
  ...submissionFieldNames.filter((field) => !isRequired(field)),
];

/** A choice that the form cannot show, such as a constant: it stays unchanged. */
export const keepChoice = 'keep';

/** The status is published as the word of the file. */
export const sameWord = '=';
/** The word has no status of its own. */
export const otherWord = '*';
/** Rows with the word are not published. */
export const skippedWord = '-';

type Skip = TableMappingDraft['skip'];

/** What the cells of a column leave out: a value of `skip`, or its words, which only the text of the mapping changes. */
type SkipRule = SkippedValue | 'words';

/** As a choice above the column. */
export const toSkipChoice = (rule: SkipRule): string => `skip:${rule}`;

export function findSkipRule(column: string, skip: Skip = {}): SkipRule | undefined {
  const given = Object.hasOwn(skip, column) ? skip[column] : undefined;
  return Array.isArray(given) ? 'words' : given;
}

/** A column that fills a field keeps its rule, because the choice shows the field. */
function readSkipRules(entered: URLSearchParams, skip: Skip, { columns }: SuggestedMapping): Skip {
  const rules = { ...skip };
  const keepingRule = [...mappedFields, toSkipChoice('words'), undefined];
  for (const [index, { name }] of columns.entries()) {
    const use = entered.get(`use.${index}`) ?? undefined;
    if (keepingRule.includes(use)) continue;
    const value = skippedValues.find((one) => use === toSkipChoice(one));
    if (value === undefined) delete rules[name];
    else rules[name] = value;
  }
  return Object.keys(rules).length > 0 ? rules : undefined;
}

export type MappingDraft = Partial<SubmissionMapping>;

/** The columns of a field; undefined if the form cannot show its mapping. */
export function listColumns(
  field: SubmissionField,
  mapping: MappingDraft[SubmissionField],
): string[] | undefined {
  if (mapping === undefined) return [];
  if (typeof mapping === 'string') return [mapping];
  const columns = isList(mapping) ? mapping : (mapping.columns ?? toList(mapping.column));
  const maxColumns = isCombined(field) ? 2 : 1;
  return columns.length === 0 || columns.length > maxColumns ? undefined : [...columns];
}

const toList = (column: string | undefined) => (column === undefined ? [] : [column]);

/** The fields that a column fills. */
export const listUsedFor = (column: string, { submission = {} }: TableMappingDraft): SubmissionField[] =>
  mappedFields.filter((field) => {
    const mapping = submission[field];
    return mapping !== undefined && (listColumns(field, mapping) ?? []).includes(column);
  });

export const findColumn = (suggestion: SuggestedMapping, name: string): ColumnSummary | undefined =>
  suggestion.columns.find((column) => column.name === name);

/** The suggestion for a field with exactly these columns. */
export function findCandidate(
  suggestion: SuggestedMapping,
  field: SubmissionField,
  columns: readonly string[],
): FieldCandidate | undefined {
  const found = suggestion.fields.find((one) => one.field === field);
  return found?.candidates.find((candidate) => isEqual(candidate.columns, columns));
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index]);

/** The details of a field for chosen columns: those of the present mapping, or else those of the suggestion. */
function draftDetails(
  suggestion: SuggestedMapping,
  field: SubmissionField,
  columns: readonly string[],
  present: MappingDraft[SubmissionField],
): FieldMapping {
  if (present !== undefined && isEqual(listColumns(field, present) ?? [], columns)) return toDetails(present);
  const candidate = findCandidate(suggestion, field, columns);
  if (candidate !== undefined) return toDetails(candidate.mapping);
  const [first, ...others] = columns
    .map((name) => findColumn(suggestion, name))
    .filter((column) => column !== undefined);
  if (first === undefined || others.length + 1 < columns.length)
    return toDetails(columns.length === 1 ? (columns[0] as string) : columns);
  const details = toDetails(draftFieldMapping(field, [first, ...others]));
  // A person enters what the cells do not show, and decides on statuses.
  if (isTime(field) && first.date === null) delete details.date;
  if (field === 'status') delete details.values;
  return details;
}

export function toDetails(mapping: string | readonly string[] | FieldMapping): FieldMapping {
  if (typeof mapping === 'string') return { column: mapping };
  if (isList(mapping)) return { columns: [...mapping] };
  return { ...mapping };
}

const isList = (value: readonly string[] | FieldMapping): value is readonly string[] => Array.isArray(value);

/** The shortest notation of a field. */
function compact(field: SubmissionField, details: FieldMapping): string | string[] | FieldMapping {
  if (field === 'id') return details.columns ?? details.column ?? [];
  const { column, ...others } = details;
  return column !== undefined && Object.keys(others).length === 0 ? column : details;
}

export interface MappingError {
  /** The field of the form. */
  name: string;
  problem: 'required' | 'unknownColumn' | 'datePattern' | 'status' | 'statusColumn';
  /** A column, a word, or the name of a field. */
  subject: string;
  /** Why a date pattern is invalid. */
  reason?: Reason;
}

interface DraftedMapping {
  mapping: TableMappingDraft;
  errors: MappingError[];
}

/** Identifies columns in a hidden field: the details below it belong to them. */
export const columnsKey = (columns: readonly string[]): string => JSON.stringify(columns);

/**
 * The choices above the columns as those of the fields, which the form has as well. A field of two columns takes the chosen one as the
 * second, any other field takes it in place of its column.
 */
function applyColumnUses(entered: URLSearchParams, { columns }: SuggestedMapping): URLSearchParams {
  const form = new URLSearchParams(entered);
  const uses = columns.map(({ name }, index) => ({
    column: `column:${name}`,
    use: form.get(`use.${index}`) ?? '',
    shown: form.get(`use.${index}.shown`) ?? '',
  }));
  const changed = uses.filter(({ use, shown }) => use !== shown);
  for (const { column, shown } of changed) removeColumn(form, shown, column);
  for (const { column, use } of changed) {
    const field = mappedFields.find((name) => name === use);
    if (field === undefined) continue;
    const first = form.get(`column.${field}`) ?? '';
    const isKept = uses.some((other) => other.column === first && other.use === field);
    const isSecond = isKept && isCombined(field) && !form.get(`second.${field}`);
    form.set(`${isSecond ? 'second' : 'column'}.${field}`, column);
    if (!isSecond) form.delete(`second.${field}`);
  }
  return form;
}

function removeColumn(form: URLSearchParams, field: string, column: string): void {
  const second = form.get(`second.${field}`) ?? '';
  if (second === column) form.delete(`second.${field}`);
  if (form.get(`column.${field}`) !== column) return;
  form.set(`column.${field}`, second === column ? '' : second);
  form.delete(`second.${field}`);
}

/** @param base the mapping that the form was opened with */
export function readMappingForm(
  entered: URLSearchParams,
  base: TableMappingDraft,
  suggestion: SuggestedMapping,
): DraftedMapping {
  const form = applyColumnUses(entered, suggestion);
  const submission: Record<string, unknown> = {};
  const errors: MappingError[] = [];
  let skip = readSkipRules(entered, base.skip, suggestion);
  for (const field of mappedFields) {
    const choice = form.get(`column.${field}`) ?? '';
    const present = base.submission?.[field];
    if (choice === keepChoice) {
      submission[field] = present;
      continue;
    }
    const columns = [choice, form.get(`second.${field}`) ?? '']
      .filter((value) => value.startsWith('column:'))
      .map((value) => value.slice('column:'.length));
    if (columns.length === 0) {
      if (isRequired(field)) errors.push({ name: `column.${field}`, problem: 'required', subject: field });
      continue;
    }
    const unknown = columns.find((name) => findColumn(suggestion, name) === undefined);
    if (unknown !== undefined)
      errors.push({ name: `column.${field}`, problem: 'unknownColumn', subject: unknown });
    const details = draftDetails(suggestion, field, columns, present);
    const isShown = form.get(`shown.${field}`) === columnsKey(columns);
    if (isTime(field)) readDate(form, field, isShown, details, errors);
    if (field === 'status') skip = readStatus(form, isShown, details, skip, suggestion, errors);
    submission[field] = compact(field, details);
  }
  const { skip: _, ...others } = base;
  return { mapping: { ...others, ...(skip && { skip }), submission: submission as MappingDraft }, errors };
}

/**
 * Puts the entries of a user into another draft.
 *
 * @param entered a mapping that the user has changed
 * @param before the draft that it was changed from
 * @returns with the fields whose entries name a column that the file lacks; they have the mapping of the draft
 */
export function mergeEntries(
  entered: TableMappingDraft,
  before: TableMappingDraft,
  draft: TableMappingDraft,
  suggestion: SuggestedMapping,
): { mapping: TableMappingDraft; lost: SubmissionField[] } {
  const changed = mappedFields.filter((field) => {
    const entry = entered.submission?.[field];
    const isMissing = entry === undefined && isRequired(field);
    return !isMissing && !isDeepStrictEqual(entry, before.submission?.[field]);
  });
  const isReadable = (field: SubmissionField) =>
    listNamedColumns(entered.submission?.[field]).every((name) => findColumn(suggestion, name) !== undefined);
  const kept = changed.filter(isReadable);
  const submission = { ...draft.submission, ...pick(entered.submission ?? {}, kept) };
  const { submission: _, skip: __, ...others } = entered;
  const otherKeys = (Object.keys(others) as (keyof typeof others)[]).filter(
    (key) => !isDeepStrictEqual(entered[key], before[key]),
  );
  const skip = mergeSkip(entered.skip, before.skip, draft.skip, suggestion);
  const { skip: ___, ...drafted } = draft;
  const mapping = {
    ...drafted,
    ...pick(others, otherKeys),
    ...(skip && { skip }),
    submission: submission as MappingDraft,
  };
  return { mapping, lost: changed.filter((field) => !kept.includes(field)) };
}

/** The rules of the draft, apart from columns that the user has changed. */
function mergeSkip(
  entered: Skip = {},
  before: Skip = {},
  draft: Skip = {},
  suggestion: SuggestedMapping,
): Skip {
  const columns = new Set([...Object.keys(draft), ...Object.keys(entered), ...Object.keys(before)]);
  const merged = [...columns].flatMap((column) => {
    const isChanged = !isDeepStrictEqual(entered[column], before[column]);
    const value = (isChanged ? entered : draft)[column];
    return value === undefined || findColumn(suggestion, column) === undefined
      ? []
      : [[column, value] as const];
  });
  return merged.length === 0 ? undefined : Object.fromEntries(merged);
}

function listNamedColumns(mapping: MappingDraft[SubmissionField]): string[] {
  const { column, columns = [] } = toDetails(mapping ?? []);
  return [...toList(column), ...columns];
}

const pick = <T extends object>(values: T, keys: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(keys.map((key) => [key, values[key]])) as Partial<T>;

function readDate(
  form: URLSearchParams,
  field: SubmissionField,
  isShown: boolean,
  details: FieldMapping,
  errors: MappingError[],
): void {
  const own = (form.get(`datePattern.${field}`) ?? '').trim();
  const entered = own || (form.get(`date.${field}`) ?? '').trim();
  if (isShown && entered !== '') details.date = splitDatePatterns(entered);
  const name = `date.${field}`;
  if (details.date === undefined) {
    errors.push({ name, problem: 'datePattern', subject: field });
    return;
  }
  try {
    parseDatePatterns(details.date);
  } catch (error) {
    if (!(error instanceof InvalidDatePatternError)) throw error;
    errors.push({ name, problem: 'datePattern', subject: field, reason: error.reason });
  }
}

/** @returns `skip` with the words of the column that are not published */
function readStatus(
  form: URLSearchParams,
  isShown: boolean,
  details: FieldMapping,
  skip: Skip,
  suggestion: SuggestedMapping,
  errors: MappingError[],
): Skip {
  const column = findColumn(suggestion, details.column ?? '');
  if (!column?.words) return skip;
  const given = findSkippedWords(column, skip);
  if (!isShown) {
    const values = details.values ?? {};
    const hasPlace = (word: string) => Object.hasOwn(values, word) || given?.inFile.has(word);
    if (column.words.some(({ word }) => !hasPlace(word)) && details.default === undefined)
      errors.push({ name: 'column.status', problem: 'statusColumn', subject: column.name });
    return skip;
  }
  const values: Record<string, string> = { ...details.values };
  const skippedWords = [...(given?.others ?? [])];
  column.words.forEach(({ word }, index) => {
    const published = form.get(`status.${index}`) ?? '';
    delete values[word];
    if (published === skippedWord && given !== undefined) skippedWords.push(word);
    else if (published === '') errors.push({ name: `status.${index}`, problem: 'status', subject: word });
    else if (published !== otherWord) values[word] = published === sameWord ? word : published;
  });
  details.values = values;
  const others = form.get('status.others') ?? '';
  if (others === '') delete details.default;
  else details.default = others;
  if (given === undefined) return skip;
  const { [column.name]: _, ...otherColumns } = skip ?? {};
  const combined = { ...otherColumns, ...(skippedWords.length > 0 && { [column.name]: skippedWords }) };
  return Object.keys(combined).length > 0 ? combined : undefined;
}
