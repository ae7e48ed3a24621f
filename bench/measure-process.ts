/** Measures the start-up time and the idle memory of a process. */
import { setTimeout } from 'node:timers/promises';
import type { BenchDatabase } from './fill-database.ts';
import { computeSpread, type Spread } from './measure-row.ts';
import { readResidentMemory } from './process-usage.ts';
import { startRostra } from './start-servers.ts';

export interface ProcessResult {
  engine: 'sqlite' | 'postgres';
  startedInMs: Spread;
  /** Resident memory some seconds after the start; undefined on systems other than Linux. */
  idleBytes: Spread | undefined;
}

const startCount = 5;
const idleDelayMs = 3_000;

export async function measureProcess(
  engine: ProcessResult['engine'],
  place: BenchDatabase,
): Promise<ProcessResult> {
  const times: number[] = [];
  const memories: number[] = [];
  for (let start = 0; start < startCount; start += 1) {
    const server = await startRostra(place);
    times.push(server.startedInMs);
    if (start >= startCount - 2) {
      await setTimeout(idleDelayMs);
      const memory = readResidentMemory(server.pid);
      if (memory !== undefined) memories.push(memory);
    }
    await server.stop();
  }
  return {
    engine,
    startedInMs: computeSpread(times),
    idleBytes: memories.length > 0 ? computeSpread(memories) : undefined,
  };
}
