/** Exports spans with OpenTelemetry over OTLP. Loaded only if an endpoint is configured. */
import { setTimeout } from 'node:timers/promises';
import {
  type Context,
  type DiagLogger,
  DiagLogLevel,
  diag,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from './read-tracing-settings.ts';
import type { Span, SpanOptions, TraceHeaders, Tracer } from './tracing.ts';

interface Exporter {
  tracer: Tracer;
  /** Exports the remaining spans. @returns false if the collector did not accept them within `timeoutMs` */
  shutdown(timeoutMs: number): Promise<boolean>;
}

/** @param onProblem receives a sentence about spans that could not be exported, at most one per minute */
export function createExporter(
  settings: TracingSettings,
  version: string,
  onProblem: (sentence: string) => void,
): Exporter {
  reportProblems(onProblem);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'rostra', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(settings),
    spanLimits: { attributeValueLengthLimit: maxAttributeLength },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...settings.batch })],
  });
  const openTelemetry = provider.getTracer('rostra', version);
  return {
    tracer: {
      startSpan: (name, { kind, attributes, parent }) => {
        const parentContext = toContext(parent);
        return new ExportedSpan(
          openTelemetry.startSpan(
            name,
            { kind: spanKinds[kind], attributes: { ...attributes } },
            parentContext,
          ),
        );
      },
    },
    shutdown: async (timeoutMs) => {
      const stopping = new AbortController();
      const flushed = provider.shutdown().then(
        () => true,
        () => false,
      );
      const timeout = setTimeout(timeoutMs, false, { signal: stopping.signal }).catch(() => false);
      const isComplete = await Promise.race([flushed, timeout]);
      stopping.abort();
      return isComplete;
    },
  };
}

const maxAttributeLength = 4_000;

const spanKinds: Record<SpanOptions['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

class ExportedSpan implements Span {
  readonly context: Context;
  readonly traceId: string;
  readonly #span: OpenTelemetrySpan;

  constructor(span: OpenTelemetrySpan) {
    this.#span = span;
    this.traceId = span.spanContext().traceId;
    this.context = trace.setSpan(ROOT_CONTEXT, span);
  }

  end(attributes: Parameters<Span['end']>[0] = {}, error?: unknown): void {
    this.#span.setAttributes({ ...attributes });
    if (error !== undefined) {
      // The message of an error may contain values of records.
      if (error instanceof Error) this.#span.setAttribute('error.type', error.constructor.name);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

const propagator = new W3CTraceContextPropagator();

const headerGetter = {
  keys: (headers: TraceHeaders) => Object.keys(headers),
  get: (headers: TraceHeaders, name: string) => headers[name as keyof TraceHeaders],
};

function toContext(parent: SpanOptions['parent']): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  if (parent instanceof ExportedSpan) return parent.context;
  // Invalid headers begin a new trace.
  return 'traceparent' in parent ? propagator.extract(ROOT_CONTEXT, parent, headerGetter) : ROOT_CONTEXT;
}

function createSampler({ sampler, sampledRatio }: TracingSettings): Sampler {
  const root = sampler.replace('parentbased_', '');
  const own =
    root === 'always_off'
      ? new AlwaysOffSampler()
      : root === 'traceidratio'
        ? new TraceIdRatioBasedSampler(sampledRatio)
        : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root: own }) : own;
}

const problemIntervalMs = 60_000;

function reportProblems(onProblem: (sentence: string) => void): void {
  let latestMs = Number.NEGATIVE_INFINITY;
  const report: DiagLogger['error'] = (message) => {
    const nowMs = performance.now();
    if (nowMs - latestMs < problemIntervalMs) return;
    latestMs = nowMs;
    onProblem(`Traces are not exported: ${describe(message)}`);
  };
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** OpenTelemetry passes errors as JSON texts with a stack. */
function describe(message: string): string {
  try {
    const { name = '', message: reason = '', code = '' } = JSON.parse(message);
    return [name, reason, code].filter((part) => part !== '').join(' ');
  } catch {
    return message;
  }
}
