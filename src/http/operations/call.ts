import type { Operation, QueryOf } from '../../contract/operations.ts';
import type { Admission, Store } from '../../store/store.ts';

/** A request that has passed every check: what an operation needs to answer it. */
export interface Call<Op extends Operation> {
  store: Store;
  admission: Admission;
  query: QueryOf<Op>;
  /** The path's UUID in lower case; empty where the path has none. */
  id: string;
}

/** Answers with the body: JSON in UTF-8; undefined: there is no such resource for this caller. */
export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<Buffer | undefined>;

/** A single resource stands under `data` (specification section 2.7). */
export function enveloped(document: string | undefined): Buffer | undefined {
  return document === undefined ? undefined : Buffer.from(`{"data":${document}}`);
}
