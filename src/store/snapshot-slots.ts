/**
 * Limits the number of open snapshots. A slow client can keep a snapshot open for a minute, so the reserved slots are
 * only for municipalities without an open snapshot.
 *
 * @returns a function that waits for a free slot of a municipality. Call its result once to release the slot.
 */
export function createSnapshotSlots(size: number, reserved: number) {
  const used: string[] = [];
  const waiting: { organizationId: string; start: () => void }[] = [];

  const isFree = (organizationId: string) =>
    used.length < (used.includes(organizationId) ? size - reserved : size);

  function release(organizationId: string): void {
    used.splice(used.indexOf(organizationId), 1);
    const next = waiting.findIndex((one) => isFree(one.organizationId));
    if (next !== -1) waiting.splice(next, 1)[0]?.start();
  }

  return (organizationId: string) =>
    new Promise<() => void>((resolve) => {
      const start = () => {
        used.push(organizationId);
        resolve(() => release(organizationId));
      };
      if (isFree(organizationId)) start();
      else waiting.push({ organizationId, start });
    });
}
