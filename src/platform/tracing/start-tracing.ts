import { readTracingSettings } from './read-tracing-settings.ts';
import { setTracer } from './tracing.ts';

interface TracingOptions {
  /** Variables of the process and of the configuration file. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Of Rostra. */
  version: string;
  /** Receives sentences for the operator. */
  onProblem: (sentence: string) => void;
}

/** Time for the last spans. A collector that is down must not hold up a restart. */
const shutdownTimeoutMs = 3_000;

/** Time for the end of the process after that. An export that is still running would keep it alive. */
const exitDelayMs = 500;

/**
 * Exports traces from now on if OTEL_EXPORTER_OTLP_ENDPOINT is set.
 *
 * @returns a function that exports the remaining spans; the process must end afterwards
 * @throws TracingSettingsError
 */
export async function startTracing({
  environment,
  version,
  onProblem,
}: TracingOptions): Promise<() => Promise<void>> {
  const settings = readTracingSettings(environment);
  if (settings === undefined) return async () => undefined;
  // The code of OpenTelemetry reads its variables from the process.
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('OTEL_') && value !== undefined) process.env[name] = value;
  // OpenTelemetry takes 27 MB.
  const { createExporter } = await import('./open-telemetry.ts');
  const exporter = createExporter(settings, version, onProblem);
  setTracer(exporter.tracer);
  return async () => {
    setTracer(undefined);
    if (await exporter.shutdown(shutdownTimeoutMs)) return;
    onProblem(`The last traces were not exported within ${shutdownTimeoutMs / 1_000} seconds.`);
    setTimeout(() => process.exit(), exitDelayMs).unref();
  };
}
