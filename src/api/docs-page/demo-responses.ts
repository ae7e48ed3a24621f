/** Responses of the demo, which `npm run docs` requests. */
import { readTextAsset } from '../../assets/assets.ts';
import type { OperationId } from '../../contract/operations.ts';

interface DemoResponse {
  /** Path and query below the base URL. */
  request: string;
  response: unknown;
}

export const readDemoResponses = (): Record<OperationId, DemoResponse> =>
  JSON.parse(readTextAsset('src/api/docs-page/demo-responses.json'));
