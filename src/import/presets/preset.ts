/**
 * How to request the records of a system whose data portal has an API: declarations, which `src/runs/live-source/` carries
 * out. Paths lead to a value in an answer, such as `result.total`; the empty path is the whole answer.
 */
import type { FormatName } from '../../reasons/en/formats.ts';

/** Query parameters of a request. */
type Parameters = Readonly<Record<string, string>>;

/** The way from a page to the next one. */
export type Paging =
  /** One answer has all records. */
  | { by: 'none' }
  /**
   * Parameters name the first record of a page, and the number of its records. A server may return fewer. `id` is the name of
   * the value that identifies a record.
   */
  | { by: 'offset'; offset: string; limit: string; size: number; id: string }
  /** A request lists the ids of all records and the name of the value that has them, and each page names some of them. */
  | { by: 'ids'; list: Parameters; listed: string; named: string; ids: string; size: number }
  /**
   * Parameters name the first and the last time of a window of at most so many days. A server returns a limited number of its
   * records. `time` and `id` are the names of the values with the time of a record, and that identify it.
   */
  | { by: 'windows'; from: string; to: string; days: number; time: string; id: string };

/** Where requests have the key of the portal. */
export type KeyPlacement = { header: string } | { parameter: string };

export interface Preset {
  /** Proper name, for people. */
  title: string;
  /** That reads the records; default: `table`, with a mapping. */
  format?: FormatName;
  /**
   * Addresses that people copy from the website: patterns of the path (WHATWG URL Pattern). The path and the parameters of the
   * request name the groups of the pattern. The first one that matches counts. Only an address of the API keeps its own
   * parameters, such as a filter.
   */
  addresses: readonly { path: string; request: string; parameters?: Parameters; isApi?: true }[];
  /** That requests have unless the address has them. */
  defaults?: Parameters;
  /** Of every request. */
  parameters?: Parameters;
  /** Of the requests for records. */
  ofRecords?: Parameters;
  paging: Paging;
  /** Names of parameters of the address that would select some of the records. */
  ignored?: readonly string[];
  /** As `parseRecordsPath` reads it. */
  records: string;
  /**
   * A request for the number of all records, at the address of the records unless `at` is another one, relative to it. Undefined:
   * the system does not say it.
   */
  total?: { at?: string; parameters: Parameters; path: string };
  /** Path of the sentence in an answer with status 200 that reports an error. */
  error?: string;
  /** Path of a value that only an error has; default: that of the sentence. */
  errorMark?: string;
  /** undefined: the system takes no key. */
  key?: KeyPlacement;
  /** Codes in answers with status 200 that deny access. */
  denials?: { path: string; codes: readonly unknown[] };
}
