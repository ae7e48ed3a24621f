/** The variables of OpenTelemetry. Those of the exporter, such as its headers, are read by its own code. */

export interface TracingSettings {
  /** Where spans are sent to. Only checks need it: the exporter reads its variables. */
  endpoint: { url: string /** Such as `api-key=a%20b,x=y`. */; headers: string };
  sampler: (typeof samplers)[number];
  /** 0 to 1, for the samplers of a ratio. */
  sampledRatio: number;
  batch: {
    maxQueueSize?: number;
    maxExportBatchSize?: number;
    scheduledDelayMillis?: number;
    exportTimeoutMillis?: number;
  };
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const batchVariables = {
  maxQueueSize: 'OTEL_BSP_MAX_QUEUE_SIZE',
  maxExportBatchSize: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  scheduledDelayMillis: 'OTEL_BSP_SCHEDULE_DELAY',
  exportTimeoutMillis: 'OTEL_BSP_EXPORT_TIMEOUT',
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** The message names the variable and the values that it may have. */
export class TracingSettingsError extends Error {}

/**
 * @returns undefined without an endpoint
 * @throws TracingSettingsError
 */
export function readTracingSettings(environment: Environment): TracingSettings | undefined {
  const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const configured = endpoints.filter((name) => Boolean(environment[name]));
  const isOff = environment.OTEL_SDK_DISABLED === 'true' || environment.OTEL_TRACES_EXPORTER === 'none';
  if (configured.length === 0 || isOff) return undefined;
  for (const name of configured) assertEndpoint(name, environment[name] as string);
  assertProtocol(environment);
  return {
    endpoint: readEndpoint(environment),
    ...readSampler(environment),
    batch: Object.fromEntries(
      Object.entries(batchVariables).flatMap(([option, name]) => {
        const text = environment[name];
        return text ? [[option, parseCount(name, text)]] : [];
      }),
    ),
  };
}

function readEndpoint({
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces,
  OTEL_EXPORTER_OTLP_ENDPOINT: all = '',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: traceHeaders,
  OTEL_EXPORTER_OTLP_HEADERS: headers = '',
}: Environment): TracingSettings['endpoint'] {
  return { url: traces || `${all.replace(/\/$/, '')}/v1/traces`, headers: traceHeaders || headers };
}

function assertEndpoint(name: string, text: string): void {
  const protocol = URL.parse(text)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:')
    // The address may contain a password, so the message does not.
    throw new TracingSettingsError(`${name} must be a URL such as http://127.0.0.1:4318.`);
}

function assertProtocol(environment: Environment): void {
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    // Collectors accept both encodings on their port for HTTP.
    if (environment[name] && !environment[name].startsWith('http/'))
      throw new TracingSettingsError(
        `${name} must be http/json: Rostra exports over HTTP, which collectors receive on port 4318.`,
      );
  }
}

function readSampler(environment: Environment): Pick<TracingSettings, 'sampler' | 'sampledRatio'> {
  const { OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: argument = '' } = environment;
  const sampler = name === '' ? 'parentbased_always_on' : samplers.find((known) => known === name);
  if (sampler === undefined)
    throw new TracingSettingsError(
      `OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not "${name}".`,
    );
  const sampledRatio = argument === '' ? 1 : Number(argument);
  if (!(sampledRatio >= 0 && sampledRatio <= 1))
    throw new TracingSettingsError(
      `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${argument}".`,
    );
  return { sampler, sampledRatio };
}

function parseCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new TracingSettingsError(`${name} must be a whole number from 1, not "${text}".`);
  return count;
}
