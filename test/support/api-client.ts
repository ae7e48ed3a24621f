/** Requests to the API whose responses are checked against the contract. */
import assert from 'node:assert/strict';
import { checkResponse, loadContract } from './contract.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from './http-client.ts';

export interface ApiResponse extends HttpResponse {
  /** The body as JSON; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: the response is checked against the OpenAPI document
  json: any;
}

export async function sendApiRequest(
  port: number,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const contract = await loadContract(port);
  const target = options.absolute ? path : `/api/v1${path}`;
  const response = await sendRequest(port, target, options);
  checkResponse(
    contract,
    { method: options.method ?? 'GET', target, hasKey: options.key !== undefined },
    response,
  );
  return { ...response, json: response.text === '' ? undefined : JSON.parse(response.text) };
}

/** Asserts that a response mentions neither the engine, nor SQL, nor paths of the machine. */
export function assertNoInternals({ text, headers }: ApiResponse): void {
  assert.doesNotMatch(
    text + JSON.stringify(headers),
    /sqlite|postgres|select |\btable\b|relation|database|\.db|\/tmp|\.ts:\d/i,
  );
}

export function assertUnavailable(response: ApiResponse): void {
  assert.equal(response.status, 503);
  assert.equal(response.json.code, 'UNAVAILABLE');
  assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assertNoInternals(response);
}
