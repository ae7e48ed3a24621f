import assert from 'node:assert/strict';
/** One request over HTTP and its answer, which is held against the contract before a test sees it. */
import { checkAnswer, loadContract } from './contract.ts';
import { type Answer, plainExchange, type RequestOptions } from './http-client.ts';

export interface Exchange extends Answer {
  /** The body as JSON; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: checked against the OpenAPI document, which is typing enough for a test
  json: any;
}

export async function exchange(port: number, path: string, options: RequestOptions = {}): Promise<Exchange> {
  const contract = await loadContract(port);
  const target = options.absolute ? path : `/api/v1${path}`;
  const answer = await plainExchange(port, target, options);
  checkAnswer(
    contract,
    { method: options.method ?? 'GET', target, keyed: options.key !== undefined },
    answer,
  );
  return { ...answer, json: answer.text === '' ? undefined : JSON.parse(answer.text) };
}

/** Nothing of the engine, of SQL or of the machine may reach a client. */
export function saysNothingOfTheInside({ text, headers }: Exchange): void {
  assert.doesNotMatch(
    text + JSON.stringify(headers),
    /sqlite|postgres|select |\btable\b|relation|database|\.db|\/tmp|\.ts:\d/i,
  );
}

export function isUnavailable(answer: Exchange): void {
  assert.equal(answer.status, 503);
  assert.equal(answer.json.code, 'UNAVAILABLE');
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  saysNothingOfTheInside(answer);
}
