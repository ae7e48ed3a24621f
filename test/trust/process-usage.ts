/** Memory and handles of a process, from /proc of Linux. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  residentKilobytes: number;
  /** Files, sockets and other descriptors. */
  handles: number;
}

export function readUsage(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    residentKilobytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]),
    handles: readdirSync(`/proc/${pid}/fd`).length,
  };
}
