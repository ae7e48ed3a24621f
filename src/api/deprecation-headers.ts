import { type Operation, operations } from '../contract/operations.ts';

/** @returns names and values alternately, by operation; empty while no operation is deprecated */
export function createDeprecationHeaders(): ReadonlyMap<string | null, readonly string[]> {
  const headers = new Map<string | null, readonly string[]>();
  for (const [id, { deprecated }] of Object.entries<Operation>(operations)) {
    if (deprecated === undefined) continue;
    const { since, sunset, link } = deprecated;
    headers.set(id, [
      'deprecation',
      `@${Date.parse(since) / 1000}`,
      'sunset',
      new Date(sunset).toUTCString(),
      'link',
      `<${link}>; rel="deprecation"; type="text/html"`,
    ]);
  }
  return headers;
}
