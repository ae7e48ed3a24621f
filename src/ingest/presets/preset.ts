/**
 * How to request the records of a system whose data portal has an API: declarations, which `src/ingest/connectors/live-source/` carries
 * out. Paths lead to a value in an answer, such as `result.total`; the empty path is the whole answer.
 */
import type { FormatName } from '../../domain/reasons/en/formats.ts';

/** Query parameters of a request. */
type Parameters = Readonly<Record<string, string>>;

/** Of the pattern of an address, by name. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Fields of GraphQL with their arguments, and what is selected of them. */
export interface Selection {
  readonly [field: string]: true | Selection;
}

/** A list of records that an address may mean. */
export interface ListChoice {
  id: string;
  /** Of its own page. */
  path: string;
  /** In words of the system, for people. */
  title: string;
}

/** A query of GraphQL returns a page of a connection, and the cursor of the next one. */
export interface ConnectionPaging {
  by: 'cursor';
  /** Path of the API, which names the groups of the address. */
  api: string;
  /** Names of fields that some releases lack. */
  optional: readonly string[];
  /** Path of the connection in an answer. */
  connection: string;
  /** Name of the value that identifies a record. */
  id: string;
  /** The group of the address with the id of the list. */
  list: string;
  /** @param after cursor of the record before the page */
  selectPage(list: string, after: string | undefined): Selection;
  /** Selects the lists of an address that does not name one. */
  selectLists(groups: Groups): Selection;
  /** @param data of the answer to `selectLists` */
  listChoices(data: Readonly<Record<string, unknown>>, groups: Groups): ListChoice[];
}

/** The way from a page to the next one. */
type Paging =
  /** One answer has all records. */
  | { by: 'none' }
  /**
   * Parameters name the first record of a page, and the number of its records. A server may return fewer. `id` is the name of
   * the value that identifies a record.
   */
  | { by: 'offset'; offset: string; limit: string; size: number; id: string }
  /** Parameters name the number of a page, beginning with 1, and the number of its records. `id` as above. */
  | { by: 'page'; page: string; limit: string; size: number; id: string }
  /** A request lists the ids of all records and the name of the value that has them, and each page names some of them. */
  | { by: 'ids'; list: Parameters; listed: string; named: string; ids: string; size: number }
  /**
   * Parameters name the first and the last time of a window of at most so many days. A server returns a limited number of its
   * records. `time` and `id` are the names of the values with the time of a record, and that identify it.
   */
  | { by: 'windows'; from: string; to: string; days: number; time: string; id: string }
  | ConnectionPaging;

/** Where requests have the key of the portal. `inAddress`: a parameter that also carries it in copied addresses. */
type KeyPlacement = { header: string; inAddress?: string } | { parameter: string };

/** Pages that have several tables. */
export interface Collection {
  /** As in `addresses`. The request lists the tables. */
  path: string;
  request: string;
  parameters?: Parameters;
  /** Paths of the lists in the answer. */
  lists: readonly string[];
  /** Names of members of each table. */
  id: string;
  name: string;
  /** The request for the records of a table, which names its id as `:table`. */
  ofTable: { request: string; parameters?: Parameters };
  /** Names of members, if the API lacks the records of some tables: whether it has them, and the address of their file. */
  file?: { unless: string; url: string };
}

export interface Preset {
  /** Proper name, for people. */
  title: string;
  /** That reads the records; default: `table`, with a mapping. */
  format?: FormatName;
  /** Between two requests, unless the source has another one. */
  pauseMs?: number;
  /**
   * Addresses that people copy from the website: patterns of the path (WHATWG URL Pattern). The path and the parameters of the
   * request name the groups of the pattern. The first one that matches counts. Only an address of the API keeps its own
   * parameters, such as a filter.
   */
  addresses: readonly { path: string; request: string; parameters?: Parameters; isApi?: true }[];
  collection?: Collection;
  /** That requests have unless the address has them. */
  defaults?: Parameters;
  /** Of every request. */
  parameters?: Parameters;
  /** Of the requests for records. */
  ofRecords?: Parameters;
  paging: Paging;
  /** Names of parameters of the address that no request keeps, such as those that select columns, an order or a page. */
  ignored?: readonly string[];
  /** As `parseRecordsPath` reads it. */
  records: string;
  /**
   * Path of another list, relative to the address of the records, that each server of the system has. Some servers respond to a
   * request that matches no record with the status 404: if the other list exists, the address is right. Undefined: the status 404
   * always means that the address is wrong.
   */
  otherList?: string;
  /**
   * A request for the number of all records, at the address of the records unless `at` is another one, relative to it. Undefined:
   * the system does not say it.
   */
  total?: { at?: string; parameters: Parameters; path: string };
  /** Path of the sentence in an answer with status 200 that reports an error. */
  error?: string;
  /** Path of a value that only an error has; default: that of the sentence. */
  errorMark?: string;
  /**
   * A parameter that selects records which have changed since the beginning of a day. `column` has the time of the last change;
   * undefined: the source names it.
   */
  changes?: { column?: string; parameter: string; condition: string };
  /** undefined: the system takes no key. */
  key?: KeyPlacement;
  /** Codes in answers with status 200 that deny access. */
  denials?: { path: string; codes: readonly unknown[] };
}
