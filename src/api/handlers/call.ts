import type { Operation, QueryOf } from '../../contract/operations.ts';
import type { Admission, LargeDocument, Store } from '../../domain/store.ts';

/** A request that has passed every check: what an operation needs to answer it. */
export interface Call<Op extends Operation> {
  store: Store;
  admission: Admission;
  query: QueryOf<Op>;
  /** The path's UUID in lower case; empty where the path has none. */
  id: string;
}

/** JSON in UTF-8. */
export type Body = Buffer | LargeDocument;

/** Answers with the body; undefined: there is no such resource for this caller. */
export type Handler<Op extends Operation> = (call: Call<Op>) => Promise<Body | undefined>;

/** A single resource stands under `data` (specification section 2.7). */
export function enveloped<Document extends string | LargeDocument>(
  document: Document | undefined,
): Body | undefined {
  if (document === undefined) return undefined;
  if (typeof document === 'string') return Buffer.from(`{"data":${document}}`);
  const { bytes, chunks, close } = document;
  return { bytes: opening.length + bytes + closing.length, chunks: envelopedPieces(chunks), close };
}

const opening = Buffer.from('{"data":');
const closing = Buffer.from('}');

async function* envelopedPieces(pieces: LargeDocument['chunks']): LargeDocument['chunks'] {
  yield opening;
  yield* pieces;
  yield closing;
}
