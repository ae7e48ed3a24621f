import type { FormatReader } from '../../src/ingest/formats/format-definition.ts';
import { allFiles } from '../../src/ingest/formats/format-registry.ts';

/** @returns local dates and times of the sessions, in order; and rejections and notes as JSON */
export async function listCalendarSessions(
  reader: FormatReader,
  file: string,
): Promise<{ sessions: string[]; problems: string[] }> {
  const sessions: string[] = [];
  const problems: string[] = [];
  const options = {
    allFiles,
    namespace: '00000000-0000-4000-8000-000000000000',
    timeZone: 'Europe/Berlin',
    language: 'de' as const,
    signal: new AbortController().signal,
    formatOptions: {},
    sourceName: '',
    observer: { onNote: (note: unknown) => void problems.push(JSON.stringify(note)) },
  };
  for await (const parsed of reader.readRecords([{ name: file, file, size: undefined }], options)) {
    if ('rejectionReason' in parsed) problems.push(JSON.stringify(parsed.rejectionReason));
    if ('record' in parsed && parsed.record.kind === 'session')
      sessions.push(`${parsed.record.date}T${parsed.record.timeSlot}`);
  }
  return { sessions: sessions.toSorted(), problems };
}
