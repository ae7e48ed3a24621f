/** What a municipality publishes, and how current it is, for pages and catalogues. */
import type { RecordKind } from './records.ts';

/** What records of a kind may lack. */
export const publishedParts = [
  'agenda_items',
  'submission_documents',
  'session_documents',
  'locations',
] as const;

export type PublishedPart = (typeof publishedParts)[number];

export interface PublishedContent {
  /** Kinds with records. */
  kinds: readonly RecordKind[];
  /** Parts that a record has. */
  parts: readonly PublishedPart[];
}

/** Milliseconds between the runs of the sources. `irregular`: a source has no schedule, or they have different ones. */
export type UpdateInterval = number | 'irregular';

export interface KindExtent {
  /** The first and the last `createdAt` or `date`; null for surveys, which have no time. */
  times: { first: string; last: string } | null;
  /** Time of the last change. If it is unknown: that of the last import or decision that changed any record. null: unknown, too. */
  changedAt: string | null;
  /** null: unknown. */
  updateInterval: UpdateInterval | null;
}

/** The local days of `times`. @param findDay the local day of a timestamp */
export function findExtentDays(
  kind: RecordKind,
  { times }: KindExtent,
  findDay: (timestamp: string) => string,
): KindExtent['times'] {
  // The times of sessions are local days already.
  if (times === null || kind === 'session') return times;
  return { first: findDay(times.first), last: findDay(times.last) };
}

export interface PublishedExtent extends PublishedContent {
  /** Of the kinds with records. */
  extents: Readonly<Partial<Record<RecordKind, KindExtent>>>;
}
