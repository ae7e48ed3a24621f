/** Lease of imports, so that at most one import runs in a municipality. Errors: see store.ts. */
import { StoreConflictError } from './store-errors.ts';

/** A lease without a heartbeat in this time is free. */
export const importLeaseTimeoutMs = 60_000;

export interface ImportLease {
  organizationId: string;
  leaseToken: string;
  startedAt: string;
}

/** The import must stop. */
export class LeaseLostError extends StoreConflictError {
  constructor() {
    super(
      `This run lost its lease: it sent no heartbeat for ${importLeaseTimeoutMs / 1_000} seconds and another run started, or its municipality was removed.`,
    );
  }
}

export interface ImportLeaseStore {
  /**
   * @param sourceName the stored source that the import reads; empty for other imports
   * @returns undefined while another import of the municipality holds the lease
   * @throws StoreConflictError if the municipality was removed
   */
  acquireImportLease(organizationId: string, sourceName: string): Promise<ImportLease | undefined>;
  /** Heartbeat. @throws LeaseLostError */
  renewImportLease(lease: ImportLease): Promise<void>;
  releaseImportLease(lease: Omit<ImportLease, 'startedAt'>): Promise<void>;
}
