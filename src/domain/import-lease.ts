/** Lease of imports, so that at most one import of stored sources runs in a municipality. Errors: see store.ts. */

/** A lease without a heartbeat in this time is free. */
export const importLeaseTimeoutMs = 60_000;

export interface ImportLease {
  organizationId: string;
  leaseToken: string;
}

export interface ImportLeaseStore {
  /**
   * @param sourceName the stored source that the import reads; empty for other imports
   * @returns undefined while another import of the municipality holds the lease
   * @throws StoreConflictError if the municipality was removed
   */
  acquireImportLease(organizationId: string, sourceName: string): Promise<ImportLease | undefined>;
  /** Heartbeat. @returns false if the lease was lost: the import must stop */
  renewImportLease(lease: ImportLease): Promise<boolean>;
  releaseImportLease(lease: ImportLease): Promise<void>;
}
