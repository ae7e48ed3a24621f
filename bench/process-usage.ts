/** Resource usage of a process from /proc; undefined on systems other than Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Places of user and system time in the fields of `readStat`. */
const ownTimes = [11, 12];
const endedChildrenTimes = [13, 14];

/** Processor time of a process and its direct children, in microseconds. */
export const readProcessorTime = (pid: number) => sumTimes(listWithChildren(pid), ownTimes);

/** Also that of children that have ended, such as the processes of PostgreSQL for closed connections. */
export const readAllProcessorTime = (pid: number) =>
  sumTimes(listWithChildren(pid), [...ownTimes, ...endedChildrenTimes]);

/** Processor time of the children of this process that have ended, in microseconds. */
export const readEndedChildrenTime = () => sumTimes([process.pid], endedChildrenTimes);

function sumTimes(pids: readonly number[], places: readonly number[]): number | undefined {
  if (process.platform !== 'linux') return undefined;
  let ticks = 0;
  for (const pid of pids) {
    const fields = readStat(pid);
    if (fields !== undefined) for (const place of places) ticks += Number(fields[place]);
  }
  return (ticks * 1_000_000) / ticksPerSecond;
}

function listWithChildren(pid: number): number[] {
  if (process.platform !== 'linux') return [];
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
