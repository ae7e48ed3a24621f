/** The extension fields of a record, beside what the specified operations return of it. */
import type { extensionFields } from '../../../contract/resources/extension-fields.ts';
import type { SessionRecord, SubmissionRecord } from '../../../domain/records/records.ts';
import type { PublishedDataStore } from '../../../domain/store.ts';

export type SourceFields = Partial<
  Pick<SubmissionRecord, keyof typeof extensionFields.submission> &
    Pick<SessionRecord, keyof typeof extensionFields.session>
>;

/** @returns no fields of a record that was removed in the meantime */
export async function readSourceFields(
  { findExtension }: Pick<PublishedDataStore, 'findExtension'>,
  ...record: Parameters<PublishedDataStore['findExtension']>
): Promise<SourceFields> {
  return JSON.parse((await findExtension(...record)) ?? '{}');
}
