import { unavailable } from './failure.ts';

/** How long a request waits for the store, all its steps together: whoever asks is told within a second. */
const patienceMs = 900;

/** @throws Failure 503 when the work is not done in time; it ends by itself, as each of its statements is bounded */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error('The store took too long.'))), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
