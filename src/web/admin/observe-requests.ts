/** Logs, counts and traces the requests of the admin area. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type ErrorStatus, findErrorCode } from '../../contract/error-codes.ts';
import { STATUS_CODES } from '../../platform/http/node-http.ts';
import type { RequestMetrics } from '../../platform/metrics/metrics-registry.ts';
import {
  describeResponse,
  isTracing,
  runInSpan,
  type Span,
  type StartSpan,
} from '../../platform/tracing/tracing.ts';

export interface ObservationOptions {
  log: Logger;
  metrics: RequestMetrics | undefined;
  startSpan: StartSpan;
}

export function observeRequests(app: FastifyInstance, { log, metrics, startSpan }: ObservationOptions): void {
  if (isTracing()) traceRequests(app, startSpan);
  logRequests(app, log);
  if (metrics !== undefined) countRequests(app, metrics);
}

function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        operation: `admin ${request.routeOptions.url ?? ''}`.trim(),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
        organization: request.pageContext?.organization?.id ?? null,
        error: reply.statusCode < 400 ? undefined : getErrorName(reply.statusCode),
        traceId: request.span?.traceId,
      },
      'request',
    );
  });
}

/** The codes of the API, and names of the other statuses in the same form: `FORBIDDEN`. */
const getErrorName = (status: number): string =>
  findErrorCode(status as ErrorStatus) ??
  (STATUS_CODES[status] ?? String(status)).toUpperCase().replaceAll(/\W+/g, '_');

function traceRequests(app: FastifyInstance, startSpan: StartSpan): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = startSpan(request.raw, request.routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}'));
    runInSpan(request.span, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.span?.end({
      ...describeResponse(reply.statusCode),
      'rostra.request.id': request.id,
      'rostra.organization.id': request.pageContext?.organization?.id,
    });
  });
}

function countRequests(app: FastifyInstance, metrics: RequestMetrics): void {
  app.addHook('onResponse', async (_request, reply) =>
    metrics.recordRequest('admin', reply.statusCode, reply.elapsedTime),
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined;
  }
}
