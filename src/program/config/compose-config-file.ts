/** The text of a file of settings, such as `/etc/rostra/rostra.conf`: every setting with its explanation. */
import { type SettingName, settings, toEnvironmentName } from './settings.ts';

/** Values of settings, and a sentence after the explanation. A setting without a value is a comment with its default. */
export type FileValues = Partial<Record<SettingName, readonly [value: string, reason?: string]>>;

const header = `# Settings of Rostra, for the server and for every command.
#
# Each line is NAME=value. Put a value with # or a quotation mark in single quotes. A setting that ends in _FILE names
# a file that contains the value.`;

const tracing = `# Traces are sent to this collector of OpenTelemetry. docs/monitoring.md lists further variables.
#OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
`;

/** @param note comment lines after the header */
export const composeConfigFile = (values: FileValues, note = ''): string =>
  [
    `${header}${note}\n`,
    ...(Object.keys(settings) as SettingName[]).map((name) => describeSetting(name, values[name])),
    tracing,
  ].join('\n');

/**
 * Replaces the line of a setting without a value, or else the comment with its default, by its value; otherwise appends it.
 *
 * @param text of a file that does not set it
 * @throws Error whose message follows "must"
 */
export function addToConfigFile(text: string, name: SettingName, value: string): string {
  const variable = toEnvironmentName(name);
  const line = `${variable}=${quote(value)}`;
  const lines = text.split('\n');
  const emptyAt = lines.findLastIndex((each) => each.trim() === `${variable}=`);
  const at = emptyAt >= 0 ? emptyAt : lines.findIndex((each) => each.startsWith(`#${variable}=`));
  if (at >= 0) return lines.with(at, line).join('\n');
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

function quote(value: string): string {
  if (!/['"`#]/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  throw new Error('not contain an apostrophe');
}

function describeSetting(name: SettingName, [value, reason = '']: FileValues[SettingName] = ['']): string {
  const { description, default: fallback } = settings[name];
  const text = `${description} ${reason}`.replaceAll('`', '').trim();
  const line = `${toEnvironmentName(name)}=${value || fallback}`;
  return `${wrapComment(text)}\n${value === '' ? '#' : ''}${line}\n`;
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
