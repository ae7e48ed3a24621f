/** Resource usage of a process from /proc; undefined on systems other than Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Processor time of a process and its direct children, in microseconds. */
export function readProcessorTime(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const ticks = listWithChildren(pid).map((member) => {
    const fields = readStat(member);
    return fields === undefined ? 0 : Number(fields[11]) + Number(fields[12]);
  });
  return (ticks.reduce((sum, some) => sum + some, 0) * 1_000_000) / ticksPerSecond;
}

function listWithChildren(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => Number(readStat(other)?.[1]) === pid);
  return [pid, ...children];
}

/** The fields of /proc/PID/stat after the program name, which can contain spaces and parentheses. */
function readStat(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return undefined;
  }
}

/** Resident memory in bytes. */
export const readResidentMemory = (pid: number) => readMemory(pid, 'VmRSS');

/** Maximum of the resident memory since the start of the process, in bytes. */
export const readPeakMemory = (pid: number) => readMemory(pid, 'VmHWM');

function readMemory(pid: number, field: string): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
