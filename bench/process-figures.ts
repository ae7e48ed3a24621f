/** Measures the start-up time and the idle memory of a process. */
import { setTimeout } from 'node:timers/promises';
import type { Place } from './data.ts';
import { type Spread, spread } from './measure.ts';
import { residentMemory } from './processes.ts';
import { startRostra } from './servers.ts';

export interface ProcessResult {
  engine: 'sqlite' | 'postgres';
  startedInMs: Spread;
  /** Resident memory some seconds after the start; undefined on systems other than Linux. */
  idleBytes: Spread | undefined;
}

const starts = 5;
const restMs = 3_000;

export async function measureProcess(engine: ProcessResult['engine'], place: Place): Promise<ProcessResult> {
  const times: number[] = [];
  const memories: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const server = await startRostra(place);
    times.push(server.startedInMs);
    if (start >= starts - 2) {
      await setTimeout(restMs);
      const memory = residentMemory(server.pid);
      if (memory !== undefined) memories.push(memory);
    }
    await server.stop();
  }
  return {
    engine,
    startedInMs: spread(times),
    idleBytes: memories.length > 0 ? spread(memories) : undefined,
  };
}
