/** Resource usage of a process from /proc; undefined on systems other than Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Processor time of a process and its direct children, in microseconds. */
export function processorTime(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const ticks = family(pid).map((member) => {
    const fields = statOf(member);
    return fields === undefined ? 0 : Number(fields[11]) + Number(fields[12]);
  });
  return (ticks.reduce((sum, some) => sum + some, 0) * 1_000_000) / ticksPerSecond;
}

function family(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(statOf(other)?.[1]) === pid);
  return [pid, ...children];
}

/** The fields of /proc/PID/stat after the program name, which can contain spaces and parentheses. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}

/** Resident memory in bytes. */
export function residentMemory(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
