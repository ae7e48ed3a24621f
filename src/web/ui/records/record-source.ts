/** The extension fields of a record, beside what the specified operations return of it. */
import type { SessionRecord, SubmissionRecord } from '../../../domain/records/records.ts';
import type { PublishedDataStore } from '../../../domain/store.ts';

export type SourceFields = Partial<
  Pick<SubmissionRecord, 'title' | 'sourceUrl' | 'answer' | 'sourceStatus'> & Pick<SessionRecord, 'place'>
>;

/** @returns no fields of a record that was removed in the meantime */
export async function readSourceFields(
  { findExtension }: Pick<PublishedDataStore, 'findExtension'>,
  ...record: Parameters<PublishedDataStore['findExtension']>
): Promise<SourceFields> {
  return JSON.parse((await findExtension(...record)) ?? '{}');
}
