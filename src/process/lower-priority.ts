import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** By itself the heap would grow to four times what is in use. */
const smallHeap = ['--heap-growing-percent=20', '--semi-space-growth-factor=1'];

/** An import or a sync may run beside the server on a small box: it takes little memory, and the processor when others leave it. */
export function lowerPriority(): void {
  for (const flag of smallHeap) setFlagsFromString(flag);
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
