/** Mirror of an OParl endpoint, because an unchanged object may change the effect of another one. Errors: see store.ts. */
import type { RunLease } from '../runs/run-history.ts';
import type { SourceReference } from './import-source.ts';

/** An object of an OParl endpoint as it was last fetched, reduced by `project-objects.ts`. */
export interface MirroredObject {
  /** 1 to 2,048 characters. */
  id: string;
  /** JSON. */
  object: string;
}

export interface EndpointMirrorStore {
  /** Ordered by id. */
  readMirror(source: SourceReference): AsyncGenerator<MirroredObject>;
  /**
   * Writes all objects in one transaction. The last object with an id wins.
   *
   * @returns the number of new or changed objects
   * @throws LeaseLostError; StoreConflictError if the source was removed
   */
  updateMirror(
    lease: RunLease,
    source: SourceReference,
    objects: AsyncIterable<MirroredObject>,
  ): Promise<number>;
}
