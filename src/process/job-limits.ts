/** Limits of the processes that run steps of imports. */

/** Concurrent processes of one server. */
export const maxJobProcesses = 2;

/** A process reports at least this often that it is alive. */
export const jobHeartbeatIntervalMs = 5_000;

/** Shorter than the lease of a job. */
export const silentJobTimeoutMs = 45_000;
