/** The published texts of a record that redaction checks, and how it replaces them. */
import { limits } from '../../contract/field-schemas.ts';
import type { ImportRecord } from '../../domain/records.ts';
import type { PublishableRecord } from '../parsed-record.ts';

export interface PublishedText {
  /** The field that redaction replaces; undefined for texts of surveys, which redaction only checks. */
  field: keyof typeof maxLengths | undefined;
  text: string;
}

/** Characters. Placeholders can be longer than the personal data that they replace. */
const maxLengths = {
  description: limits.description,
  referenceNumber: limits.word,
  topicCategoryName: limits.word,
  committeeName: limits.name,
} as const;

export function listPublishedTexts(parsed: PublishableRecord): PublishedText[] {
  if (!('record' in parsed)) return [];
  const { record } = parsed;
  switch (record.kind) {
    case 'submission': {
      const texts: PublishedText[] = [{ field: 'description', text: record.description }];
      if (record.referenceNumber !== null)
        texts.push({ field: 'referenceNumber', text: record.referenceNumber });
      if (record.topicCategoryName !== null)
        texts.push({ field: 'topicCategoryName', text: record.topicCategoryName });
      return texts;
    }
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
    if (text.length > maxLengths[field] && [...text].length > maxLengths[field])
      return rejectRecord(parsed, `${field} has more than ${maxLengths[field]} characters after redaction`);
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
