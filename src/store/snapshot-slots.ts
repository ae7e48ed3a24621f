/**
 * Limits the number of open snapshots. A slow client can keep a snapshot open for a minute, so the reserved slots are
 * only for municipalities without an open snapshot.
 */
export interface SnapshotSlots {
  /** Waits for a free slot. Call the returned function once to release it. */
  acquire(organizationId: string): Promise<() => void>;
}

export function createSnapshotSlots(size: number, reserved: number): SnapshotSlots {
  const used: string[] = [];
  const waiting: { organizationId: string; start: () => void }[] = [];

  const isFree = (organizationId: string) =>
    used.length < (used.includes(organizationId) ? size - reserved : size);

  function release(organizationId: string): void {
    used.splice(used.indexOf(organizationId), 1);
    const next = waiting.findIndex((one) => isFree(one.organizationId));
    if (next !== -1) waiting.splice(next, 1)[0]?.start();
  }

  return {
    acquire: (organizationId) =>
      new Promise((resolve) => {
        const start = () => {
          used.push(organizationId);
          resolve(() => release(organizationId));
        };
        if (isFree(organizationId)) start();
        else waiting.push({ organizationId, start });
      }),
  };
}
