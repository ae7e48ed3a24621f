/** The published texts of a record that redaction checks, and how it replaces them. */
import { type Fields, getValueSchema } from '../../contract/field.ts';
import { limits } from '../../contract/field-schemas.ts';
import { type SubmissionField, submissionFields } from '../../contract/submission.ts';
import type { ImportRecord } from '../../domain/records.ts';
import type { PublishableRecord } from '../parsed-record.ts';

export interface PublishedText {
  /** The field that redaction replaces; undefined for texts of surveys, which redaction only checks. */
  field: string | undefined;
  text: string;
  /** Its digits are no telephone number. */
  isIdentifier?: boolean;
}

const submissionTexts = Object.entries(submissionFields as Fields).flatMap(([name, field]) =>
  field.redaction === undefined
    ? []
    : [
        {
          name: name as SubmissionField,
          maxLength: getValueSchema(field).maxLength as number,
          isIdentifier: field.redaction === 'identifier',
        },
      ],
);

/** Characters. Placeholders can be longer than the personal data that they replace. */
const maxLengths: Readonly<Record<string, number>> = {
  ...Object.fromEntries(submissionTexts.map(({ name, maxLength }) => [name, maxLength])),
  committeeName: limits.name,
};

export function listPublishedTexts(parsed: PublishableRecord): PublishedText[] {
  if (!('record' in parsed)) return [];
  const { record } = parsed;
  switch (record.kind) {
    case 'submission':
      return submissionTexts.flatMap(({ name, isIdentifier }) => {
        const text = record[name];
        return typeof text === 'string' ? [{ field: name, text, isIdentifier }] : [];
      });
    case 'session':
      return [{ field: 'committeeName', text: record.committeeName }];
    case 'survey':
      return [
        record.title,
        ...record.questions.flatMap(({ questionText, options }) => [
          questionText,
          ...options.map(({ optionText }) => optionText),
        ]),
      ].map((text) => ({ field: undefined, text }));
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
  for (const { field, text } of replacements) {
    if (field === undefined) continue;
    const maxLength = maxLengths[field] as number;
    if (text.length > maxLength && [...text].length > maxLength)
      return rejectRecord(parsed, `${field} has more than ${maxLength} characters after redaction`);
    Object.assign(record, { [field]: text });
  }
  return { ...parsed, record };
}

export function rejectRecord(
  { location, id }: PublishableRecord,
  rejectionReason: string,
): PublishableRecord {
  return { location, id, rejectionReason };
}
