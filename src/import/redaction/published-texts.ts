/** The published texts of a record that redaction checks, and how it replaces them. */

import { type Fields, getValueSchema } from '../../contract/field.ts';
import { type ImportRecord, mapFieldsByKind } from '../../domain/records.ts';
import type { Reason } from '../../reasons/reason.ts';
import type { PublishableRecord } from '../parsed-record.ts';

export interface PublishedText {
  /** The field that redaction replaces; undefined for texts of surveys, which redaction only checks. */
  field: string | undefined;
  text: string;
  /** Its digits are no telephone number. */
  isIdentifier?: boolean;
}

interface TextField {
  name: string;
  /** Characters. Placeholders can be longer than the personal data that they replace. */
  maxLength: number;
  isIdentifier: boolean;
}

const listTextFields = (fields: Fields): TextField[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (field.redaction === undefined) return [];
    const { maxLength = 0 } = getValueSchema(field);
    return [{ name, maxLength, isIdentifier: field.redaction === 'identifier' }];
  });

const textFields = mapFieldsByKind(listTextFields);

function readTexts(kind: keyof typeof textFields, values: object): PublishedText[] {
  return textFields[kind].flatMap(({ name, isIdentifier }) => {
    const text = (values as Readonly<Record<string, unknown>>)[name];
    return typeof text === 'string' ? [{ field: name, text, isIdentifier }] : [];
  });
}

export function listPublishedTexts(parsed: PublishableRecord): PublishedText[] {
  if (!('record' in parsed)) return [];
  const { record } = parsed;
  switch (record.kind) {
    case 'submission':
    case 'session':
      return readTexts(record.kind, record);
    case 'survey':
      return [
        ...readTexts('survey', record),
        ...record.questions.flatMap((question) => [
          ...readTexts('question', question),
          ...question.options.flatMap((option) => readTexts('option', option)),
        ]),
      ].map(({ text }) => ({ field: undefined, text }));
    case 'removal':
      return [];
  }
}

/** Rejects a record with a text that is too long after redaction. */
export function replaceTexts(
  parsed: PublishableRecord,
  replacements: readonly PublishedText[],
): PublishableRecord {
  if (!('record' in parsed) || replacements.length === 0) return parsed;
  const record: ImportRecord = { ...parsed.record };
  if (record.kind === 'removal') return parsed;
  const maxLengths = new Map(textFields[record.kind].map(({ name, maxLength }) => [name, maxLength]));
  for (const { field, text } of replacements) {
    if (field === undefined) continue;
    const maxLength = maxLengths.get(field) as number;
    if (text.length > maxLength && [...text].length > maxLength)
      return rejectRecord(parsed, { code: 'too-long-after-redaction', field, max: maxLength });
    Object.assign(record, { [field]: text });
  }
  return { ...parsed, record };
}

export function rejectRecord(
  { location, id }: PublishableRecord,
  rejectionReason: Reason,
): PublishableRecord {
  return { location, id, rejectionReason };
}
