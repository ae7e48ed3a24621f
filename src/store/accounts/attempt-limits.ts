import type { AttemptLimitStore } from '../../domain/accounts/login-session.ts';
import type { Engine } from '../engine.ts';

/** Tolerance between the clocks of several machines. */
const clockToleranceMs = 5_000;

const isSameWindow = `attempt.window_start_ms <= $2 + ${clockToleranceMs} AND attempt.window_start_ms + $3 > $2`;

/** $1 name, $2 now, $3 length of a window, $4 limit. Ignores a window that starts in the future: its clock was wrong. */
const hitQuery = `
  INSERT INTO attempt (name, window_start_ms, used) VALUES ($1, $2, 1)
  ON CONFLICT (name) DO UPDATE SET
    used = CASE WHEN ${isSameWindow} THEN attempt.used + 1 ELSE 1 END,
    window_start_ms = CASE WHEN ${isSameWindow} THEN attempt.window_start_ms ELSE $2 END
  WHERE attempt.used < $4 OR NOT (${isSameWindow})
  RETURNING used`;

/** Names without an attempt in this time are deleted. */
const retentionMs = 24 * 3_600_000;

/** Counts attempts at passwords and codes in fixed windows, with the clock of the database. All processes share the counters. */
export function createAttemptLimitStore(engine: Engine): AttemptLimitStore {
  return {
    hitAttemptLimit: async (name, limit, windowMs) => {
      const nowMs = await engine.now();
      const [row] = await engine.query<{ used: number }>(hitQuery, [name, nowMs, windowMs, limit]);
      if (row?.used === 1)
        await engine.execute('DELETE FROM attempt WHERE window_start_ms < $1', [nowMs - retentionMs]);
      return row?.used ?? limit + 1;
    },
  };
}
