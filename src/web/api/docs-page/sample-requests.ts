/** The request that the samples of an operation send, and the response of the demo. */
import type { OperationId } from '../../../contract/operations.ts';
import { readTextAsset } from '../../../platform/assets.ts';
import type { OperationObject } from './openapi-types.ts';

/** Of `demo-responses.json`, which `npm run docs` writes. */
interface DemoResponse {
  /** Path and query below the base URL. */
  request: string;
  response: unknown;
}

let demo: Record<OperationId, DemoResponse> | undefined;

function find({ operationId }: OperationObject): DemoResponse {
  demo ??= JSON.parse(readTextAsset('src/web/api/docs-page/demo-responses.json')) as NonNullable<typeof demo>;
  return demo[operationId as OperationId];
}

export const readDemoResponse = (operation: OperationObject): unknown => find(operation).response;

/** @returns such as `limit=2`; empty without a query */
export const readDemoQuery = (operation: OperationObject): string =>
  find(operation).request.split('?')[1] ?? '';

/** @param path such as `/surveys/{id}/results` @returns such as `survey` */
export const readKind = (path: string): string => path.split('/')[1]?.replace(/s$/, '') ?? '';

/** Stands for an identifier that the reader must replace, such as `SURVEY_ID`: those of the demo exist nowhere else. */
export const composePlaceholder = (path: string): string => `${readKind(path).toUpperCase()}_ID`;

/** @returns path and query below the base URL */
export function composeSampleRequest(path: string, operation: OperationObject): string {
  const query = readDemoQuery(operation);
  return `${path.replace('{id}', composePlaceholder(path))}${query === '' ? '' : `?${query}`}`;
}
