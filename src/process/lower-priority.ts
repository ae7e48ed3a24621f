import { constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

const smallHeapFlags = ['--heap-growing-percent=20', '--semi-space-growth-factor=1'];

/** For imports and syncs, which may run beside the server on a small machine: less memory and lower CPU priority. */
export function lowerPriority(): void {
  for (const flag of smallHeapFlags) setFlagsFromString(flag);
  // A process that was started with a still lower priority may not raise it.
  if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
