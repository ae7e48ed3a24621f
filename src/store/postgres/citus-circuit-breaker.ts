/**
 * A circuit breaker for each node of Citus, so that a node that is down or does not respond cannot occupy all connections
 * to the coordinator, which the municipalities of other nodes need.
 */
import pg from 'pg';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { Query } from './connection-pool.ts';
import { QueryTimeoutError } from './postgres-errors.ts';
import type { ReplicaOptions } from './read-replicas.ts';

interface Waiting {
  sinceMs: number;
  start(): void;
  reject(error: unknown): void;
}

export interface Node {
  /** `host:port` */
  name: string;
  running: number;
  waiting: Waiting[];
  /** Of the last statement. While there is one, a single statement at a time tries the node, and others wait for its outcome. */
  failure: unknown;
  /** The operator knows of the failure. */
  isReported: boolean;
  /** The next try has to wait. */
  isPaused: boolean;
}

/** Between two tries of a node. Clients that repeat failed requests at once would take processor time from others. */
const retryIntervalMs = 250;

/** Statements that wait for the outcome of the one that tries a node. */
const maxWaitingForFailed = 100;

const findNodeName = `SELECT nodename || ':' || nodeport AS name
  FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
  WHERE logicalrelid = 'submission'::regclass AND noderole = 'primary'
    AND worker_hash($1::text) BETWEEN shardminvalue::int AND shardmaxvalue::int`;

export interface NodeCircuitBreaker {
  /** Runs statements whose first parameter is a municipality. */
  query: Query;
  /** @returns the same object for all municipalities of a node. @throws StoreUnavailableError */
  findNode(organizationId: string): Promise<Node>;
}

/** @param query on the coordinator */
export function createNodeCircuitBreaker(
  query: Query,
  { connections, statementTimeoutMs, notice, metrics }: ReplicaOptions,
): NodeCircuitBreaker {
  const maxRunning = Math.max(1, Math.floor(connections / 2));
  const nodes = new Map<string, Node>();
  const names = new Map<string, Promise<string>>();

  metrics?.addReader(() => ({
    rostra_citus_node_healthy: [...nodes].map(([name, { failure }]) => ({
      labels: [name],
      value: failure === undefined ? 1 : 0,
    })),
  }));

  async function readName(organizationId: string): Promise<string> {
    const { rows } = await query<{ name: string }>(findNodeName, [organizationId]);
    return rows[0]?.name ?? 'coordinator';
  }

  async function findNode(organizationId: string): Promise<Node> {
    let reading = names.get(organizationId);
    if (reading === undefined) {
      reading = readName(organizationId);
      names.set(organizationId, reading);
      reading.catch(() => names.delete(organizationId));
    }
    const name = await reading;
    let node = nodes.get(name);
    if (node === undefined) {
      node = { name, running: 0, waiting: [], failure: undefined, isReported: false, isPaused: false };
      nodes.set(name, node);
    }
    return node;
  }

  const hasCapacity = ({ running, failure, isPaused }: Node) =>
    failure === undefined ? running < maxRunning : running === 0 && !isPaused;

  async function enter(node: Node): Promise<void> {
    if (!hasCapacity(node)) {
      if (node.failure !== undefined && node.waiting.length >= maxWaitingForFailed) throw node.failure;
      const { promise, resolve: start, reject } = Promise.withResolvers<void>();
      node.waiting.push({ sinceMs: performance.now(), start, reject });
      return promise;
    }
    node.running += 1;
  }

  function startWaiting(node: Node): void {
    while (hasCapacity(node)) {
      const next = node.waiting.shift();
      if (next === undefined) return;
      if (performance.now() - next.sinceMs >= statementTimeoutMs)
        next.reject(new StoreUnavailableError('The database failed: its node was busy for too long.'));
      else {
        node.running += 1;
        next.start();
      }
    }
  }

  function fail(node: Node, error: unknown, startedMs: number): void {
    // Shards may have moved since.
    if (node.failure === undefined) names.clear();
    // A single statement may take too long on a node that works.
    else if (!node.isReported) {
      node.isReported = true;
      notice(
        `The node ${node.name} of Citus does not answer, and requests for its municipalities fail. ${(error as Error).message}`,
      );
    }
    node.failure = error;
    for (const { reject } of node.waiting.splice(0)) reject(error);
    node.isPaused = true;
    const resume = () => {
      node.isPaused = false;
      startWaiting(node);
    };
    setTimeout(resume, Math.max(0, startedMs + retryIntervalMs - performance.now())).unref();
  }

  function recover(node: Node): void {
    node.failure = undefined;
    if (node.isReported) notice(`The node ${node.name} of Citus answers again.`);
    node.isReported = false;
  }

  return {
    findNode,
    query: async (sql, parameters) => {
      const node = await findNode(parameters?.[0] as string);
      await enter(node);
      const startedMs = performance.now();
      try {
        const result = await query<never>(sql, parameters);
        recover(node);
        return result;
      } catch (error) {
        if (isServerFailure(error)) fail(node, error, startedMs);
        throw error;
      } finally {
        node.running -= 1;
        startWaiting(node);
      }
    },
  };
}

/** Not if there was no connection for the statement. */
const isServerFailure = (error: unknown): boolean =>
  error instanceof QueryTimeoutError ||
  (error instanceof StoreUnavailableError && error.cause instanceof pg.DatabaseError);
