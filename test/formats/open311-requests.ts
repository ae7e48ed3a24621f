/** Service requests in the three shapes of Open311. */
import { toCsv } from '../support/files.ts';

export type Request = Record<string, unknown>;

/** A request with the fields that an import needs. */
export const createRequest = (id: number | string, fields: Request = {}) => ({
  service_request_id: String(id),
  service_name: 'Pothole',
  requested_datetime: '2026-03-01T09:15:00Z',
  ...fields,
});

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Lists become repeated elements. */
function createElement(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => createElement(name, entry)).join('');
  const content =
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, entry]) => createElement(inner, entry))
      : [escapeXml(String(value ?? ''))];
  return `<${name}>${content.join('')}</${name}>`;
}

/** One request per line, the first in line 3. */
export function toXml(requests: readonly Request[], encoding = 'utf-8'): string {
  const lines = requests.map((request) => `  ${createElement('request', request)}\n`).join('');
  return `<?xml version="1.0" encoding="${encoding}"?>\n<service_requests>\n${lines}</service_requests>\n`;
}

/** Nested values have the outer name as a prefix, and lists are joined with spaces. */
export function toRequestsCsv(requests: readonly Request[], delimiter = ','): string {
  const rows = requests.map(({ extended_attributes: extended = {}, ...request }) => ({
    ...request,
    ...Object.fromEntries(
      Object.entries(extended as Request).map(([name, value]) => [`extended_attributes.${name}`, value]),
    ),
  })) as Request[];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return toCsv(delimiter, [
    names,
    ...rows.map((row) => names.map((name) => [row[name] ?? ''].flat().join(' '))),
  ]);
}
