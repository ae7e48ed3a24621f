/** Every metric of `/metrics`. Names and units follow the conventions of Prometheus. */

export interface MetricDefinition {
  type: 'counter' | 'gauge' | 'histogram';
  /** English sentence. */
  help: string;
  labels?: readonly string[];
  /** How the values of several processes become one; counters and histograms are added. Default: sum. */
  across?: 'max' | 'min';
  /** After an upgrade without a restart, the supervisor of 1.0 cannot add them up, and would end. That of 1.1 ignores unknown ones. */
  since?: '1.1';
}

/** In the order of the output and of docs/metrics.md. */
export const metricDefinitions = {
  rostra_http_requests_total: {
    type: 'counter',
    help: 'Responses by operation and status. The operation is admin for all pages of the admin area, and unknown for other requests without a route.',
    labels: ['operation', 'status'],
  },
  rostra_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the request header to the response, without the time that the client takes to read it.',
    labels: ['operation'],
  },
  rostra_http_connections: { type: 'gauge', help: 'Open connections of clients.' },
  rostra_response_cache_requests_total: {
    type: 'counter',
    help: 'Requests that looked for their response in the response cache: hit or miss.',
    labels: ['result'],
  },
  rostra_sign_in_failures_total: {
    type: 'counter',
    help: 'Failed sign-ins and confirmations in the admin area: with a wrong password or an unknown account, with a wrong code, by the provider of single sign-on, and attempts beyond the limit, which are rejected unseen.',
    labels: ['reason'],
    since: '1.1',
  },
  rostra_database_up: {
    type: 'gauge',
    help: '1 if the database answered during this collection, otherwise 0.',
    across: 'min',
  },
  rostra_database_writable: {
    type: 'gauge',
    help: '1 if a counter could be written during this collection, otherwise 0: the disk may be full, or the database read-only.',
    across: 'min',
    since: '1.1',
  },
  rostra_database_damaged: {
    type: 'gauge',
    help: '1 since a statement has found damage in the files of SQLite. Only a restart changes it.',
    across: 'max',
    since: '1.1',
  },
  rostra_database_statement_duration_seconds: {
    type: 'histogram',
    help: 'Time of statements, without the wait for a connection or a lock.',
    labels: ['pool'],
  },
  rostra_database_wait_duration_seconds: {
    type: 'histogram',
    help: 'Time that statements waited for a connection of their pool; with SQLite, of those that waited for a lock of another process.',
    labels: ['pool'],
  },
  rostra_database_failures_total: {
    type: 'counter',
    help: 'Statements that failed because the database was unavailable, overloaded or too slow.',
    labels: ['pool'],
  },
  rostra_database_connections: {
    type: 'gauge',
    help: 'Connections to PostgreSQL: busy or idle.',
    labels: ['pool', 'state'],
  },
  rostra_database_waiting_statements: {
    type: 'gauge',
    help: 'Statements that wait for a connection to PostgreSQL.',
    labels: ['pool'],
  },
  rostra_replica_healthy: {
    type: 'gauge',
    help: '1 if published data is read from the replica, 0 while it is excluded.',
    labels: ['replica'],
    across: 'min',
  },
  rostra_replica_lag_seconds: {
    type: 'gauge',
    help: 'The replica is at most this far behind the primary. Grows while the replica does not answer.',
    labels: ['replica'],
    across: 'max',
  },
  rostra_citus_node_healthy: {
    type: 'gauge',
    help: '1 if the last statement on the node of Citus succeeded, 0 while its municipalities are unavailable.',
    labels: ['node'],
    across: 'min',
  },
  rostra_sources: { type: 'gauge', help: 'Defined sources of all municipalities.', across: 'max' },
  rostra_sources_failing: {
    type: 'gauge',
    help: 'Sources whose last run failed.',
    across: 'max',
  },
  rostra_sources_stale: {
    type: 'gauge',
    help: 'Sources with a schedule that did not succeed for two intervals; some of them also fail.',
    across: 'max',
  },
  rostra_source_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'Last successful run of a source, 0 if it never succeeded. Only for the 1,000 sources that become stale first.',
    labels: ['organization', 'source', 'format'],
    across: 'max',
  },
  rostra_source_stale_timestamp_seconds: {
    type: 'gauge',
    help: 'Time from which the source is stale unless a run succeeds. Only for sources with a schedule among the same 1,000.',
    labels: ['organization', 'source', 'format'],
    across: 'max',
  },
  rostra_maintenance_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'End of the last successful run of each kind of maintenance, such as backup; 0 if all runs failed.',
    labels: ['kind'],
    across: 'max',
  },
  rostra_maintenance_last_run_timestamp_seconds: {
    type: 'gauge',
    help: 'End of the last run of each kind of maintenance.',
    labels: ['kind'],
    across: 'max',
  },
  rostra_maintenance_last_run_succeeded: {
    type: 'gauge',
    help: '1 if the last run of this kind of maintenance succeeded, otherwise 0.',
    labels: ['kind'],
    across: 'min',
  },
  rostra_disk_free_bytes: {
    type: 'gauge',
    help: 'Free space of the disk with this content: database (SQLite), uploads, open_data, temporary_files, and backups once rostra backup has written one.',
    labels: ['content'],
    across: 'min',
    since: '1.1',
  },
  rostra_disk_size_bytes: {
    type: 'gauge',
    help: 'Size of the disk with this content.',
    labels: ['content'],
    across: 'max',
    since: '1.1',
  },
  rostra_mail_queue_length: { type: 'gauge', help: 'Emails that wait for delivery.', across: 'max' },
  rostra_import_runs: {
    type: 'gauge',
    help: 'Runs of the admin area: queued or running.',
    labels: ['state'],
    across: 'max',
  },
  rostra_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'How late a timer of 100 milliseconds was: the time that other work held up the requests of a process.',
  },
  rostra_event_loop_busy_seconds_total: {
    type: 'counter',
    help: 'Time in which the main threads of the processes worked. A rate of 1 for each process is full load.',
  },
  rostra_workers: { type: 'gauge', help: 'Processes that accept requests.' },
  rostra_workers_configured: {
    type: 'gauge',
    help: 'Processes that should accept requests: ROSTRA_WORKERS.',
  },
  rostra_worker_starts_total: {
    type: 'counter',
    help: 'Workers that began to accept requests: at the start, after crashes, and in rolling restarts.',
  },
  rostra_worker_crashes_total: {
    type: 'counter',
    help: 'Workers that ended without being asked to, also before they accepted requests.',
  },
  rostra_last_reload_successful: {
    type: 'gauge',
    help: 'Whether all workers run with the settings of the last reload: 1, or 0 since a new worker did not start.',
    across: 'min',
    since: '1.1',
  },
  rostra_last_reload_timestamp_seconds: {
    type: 'gauge',
    help: 'When the last reload ended. Absent before the first one.',
    across: 'max',
    since: '1.1',
  },
  rostra_build_info: {
    type: 'gauge',
    help: 'Always 1: the version of Rostra and of Node.js, and the engine of the database.',
    labels: ['version', 'node_version', 'engine'],
    across: 'max',
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'Start of the server. Restarts of its workers do not change it.',
    across: 'min',
  },
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time of all processes of the server.' },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Memory of all processes of the server. Pages that they share are counted once for each.',
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    help: 'Memory of JavaScript objects in all processes of the server.',
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricDefinitions;

export const getDefinition = (name: MetricName): MetricDefinition => metricDefinitions[name];
