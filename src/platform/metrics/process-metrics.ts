/** Processor, memory and event loop of this process. */
import { performance } from 'node:perf_hooks';
import { createHistogram } from './histogram.ts';
import { createSeries, type MetricSnapshot } from './metric-snapshot.ts';

const delayTimerMs = 100;

/** The returned function stops the timer that measures delays. */
export function watchProcess(addReader: (read: () => MetricSnapshot) => void): () => void {
  const delays = createHistogram();
  let dueMs = performance.now() + delayTimerMs;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delays.observe(Math.max(0, nowMs - dueMs) / 1_000);
    dueMs = nowMs + delayTimerMs;
  }, delayTimerMs);
  timer.unref();
  addReader(() => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      rostra_event_loop_delay_seconds: [{ labels: [], value: delays.sum, counts: [...delays.counts] }],
      rostra_event_loop_busy_seconds_total: createSeries(performance.eventLoopUtilization().active / 1_000),
      process_start_time_seconds: createSeries(performance.timeOrigin / 1_000),
      process_cpu_seconds_total: createSeries((user + system) / 1e6),
      process_resident_memory_bytes: createSeries(rss),
      nodejs_heap_size_used_bytes: createSeries(heapUsed),
    };
  });
  return () => clearInterval(timer);
}
