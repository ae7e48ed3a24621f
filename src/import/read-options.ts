import type { ImportObserver } from './import-observer.ts';

/** What every reader and format needs to read an input. */
export interface ReadOptions {
  /** UUID, the namespace of the ids of this source (`record-ids.ts`). */
  namespace: string;
  /** IANA name for times without an offset; undefined if the person gave none. */
  timeZone: string | undefined;
  observer: ImportObserver;
  /** Ends the reading with an error. */
  signal: AbortSignal;
}
