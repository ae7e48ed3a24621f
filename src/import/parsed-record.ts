/** What a reader makes of its input, one object at a time. */
import type { ImportRecord } from '../domain/records.ts';
import type { CountedSurvey } from './disclosure-control/counted-survey.ts';

/** Where something stands in the input, for the person who has to find it. */
export interface SourceLocation {
  /** File name as it was given; `standard input` for that. */
  source: string;
  /** Counted from 1. */
  line?: number;
  /** Position in a JSON array, counted from 1. */
  entry?: number;
}

type Parsed<Found> = { location: SourceLocation; id?: string | undefined } & (
  | { record: Found }
  | { rejectionReason: string }
  /** Of no interest to us, such as a paper that nobody asked for. */
  | { ignored: true }
);

/** A survey is read as it was counted. `disclosure/publication.ts` makes the record that may be published of it. */
export type SourceRecord =
  | Exclude<ImportRecord, { kind: 'survey' }>
  | { kind: 'survey'; counted: CountedSurvey };

/** What a format yields. */
export type ParsedRecord = Parsed<SourceRecord>;

/** What the store can take. */
export type PublishableRecord = Parsed<ImportRecord>;

/** The input as a whole cannot be read on; the message is a sentence that names it. */
export class InputError extends Error {}

export function formatLocation({ source, line, entry }: SourceLocation): string {
  if (line !== undefined) return `${source}, line ${line}`;
  return entry === undefined ? source : `${source}, entry ${entry}`;
}

export interface ReadOptions {
  /** UUID that ids of the source are named under (`identifier.ts`). */
  namespace: string;
  /** IANA name, where the person gave one. */
  timeZone: string | undefined;
  /** Called with the number of bytes just read from disk. */
  onBytes: (count: number) => void;
  /** Ends the reading; whoever reads then meets an error. */
  signal: AbortSignal;
}
