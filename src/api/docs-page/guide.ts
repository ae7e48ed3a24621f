import { readFileSync } from 'node:fs';

/** The guide has one source for the repository and for the installation. */
const source = new URL('../../../docs/api.md', import.meta.url);

/** The base URL in the source. */
const exampleBaseUrl = 'http://127.0.0.1:8080/api/v1';

/** @returns Markdown whose examples have the given base URL */
export const readGuide = (baseUrl: string): string =>
  readFileSync(source, 'utf8').replaceAll(exampleBaseUrl, baseUrl);
