/**
 * The snapshots that may be open at once. Clients that read slowly keep theirs for a minute, so a municipality that has one
 * leaves the last ones to other municipalities.
 */
export interface SnapshotSlots {
  /** Waits for a slot. @returns what gives it back, once */
  acquire(organizationId: string): Promise<() => void>;
}

export function createSnapshotSlots(size: number, reserved: number): SnapshotSlots {
  const taken: string[] = [];
  const waiting: { organizationId: string; start: () => void }[] = [];

  const isFree = (organizationId: string) =>
    taken.length < (taken.includes(organizationId) ? size - reserved : size);

  function release(organizationId: string): void {
    taken.splice(taken.indexOf(organizationId), 1);
    const next = waiting.findIndex((one) => isFree(one.organizationId));
    if (next !== -1) waiting.splice(next, 1)[0]?.start();
  }

  return {
    acquire: (organizationId) =>
      new Promise((resolve) => {
        const start = () => {
          taken.push(organizationId);
          resolve(() => release(organizationId));
        };
        if (isFree(organizationId)) start();
        else waiting.push({ organizationId, start });
      }),
  };
}
