/** Operations of the API without HTTP, for the admin area. `src/web/api/run-api-operation.ts` implements them. */
import type { OperationId } from '../../contract/operations.ts';

/** Operations that the admin area can run: all except those about the service and the key itself. */
export type RunnableOperationId = Exclude<OperationId, 'getHealth' | 'getMe'>;

export interface OperationResult {
  status: number;
  headers: [name: string, value: string][];
  /** JSON. A document that is too large for memory lacks the last entries of its last list. */
  body: string;
  /** Of the whole body. */
  bodyBytes: number;
}

/**
 * Runs an operation of the API for a municipality, without a key, and without counting it.
 *
 * @throws errors of the store, and unexpected errors
 */
export type RunOperation = (
  operationId: RunnableOperationId,
  organizationId: string,
  target: { id: string; queryString: string },
) => Promise<OperationResult>;
