/** `/etc/rostra/rostra.conf`: every setting with its explanation. */
import { type SettingName, settings, toEnvironmentName } from '../../src/config/settings.ts';

/** The settings that differ from the default in the package. */
const packageValues: Partial<Record<SettingName, [value: string, reason?: string]>> = {
  database: ['/var/lib/rostra/rostra.db'],
  uploadFolder: ['/var/lib/rostra/uploads'],
  workers: ['2', 'With 1, Rostra needs less memory, but "systemctl reload rostra" fails.'],
};

const header = `# Settings of Rostra, for the service and for the command rostra. See rostra.conf(5).
#
# Each line is NAME=value. Put a value with # or a quotation mark in single quotes. A setting that ends in _FILE names
# a file that contains the value. Apply changes with "systemctl reload rostra", which fails no request.
`;

const tracing = `# Traces are sent to this collector of OpenTelemetry. docs/monitoring.md lists further variables.
#OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
`;

export const createConfigurationFile = (): string =>
  [header, ...(Object.keys(settings) as SettingName[]).map(describeSetting), tracing].join('\n');

function describeSetting(name: SettingName): string {
  const { description, default: fallback } = settings[name];
  const [value, reason = ''] = packageValues[name] ?? [];
  const text = `${description} ${reason}`.replaceAll('`', '').trim();
  const line = `${toEnvironmentName(name)}=${value ?? fallback}`;
  return `${wrapComment(text)}\n${value === undefined ? '#' : ''}${line}\n`;
}

function wrapComment(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 118) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}
