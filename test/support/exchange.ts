/** One request over HTTP and its answer, which is held against the contract before a test sees it. */
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { checkAnswer, loadContract } from './contract.ts';

export interface RequestOptions {
  key?: string;
  headers?: Record<string, string | string[]>;
  method?: string;
  body?: string;
  /** The path is used as it is, without /api/v1 in front. */
  absolute?: true;
}

export interface Answer {
  status: number;
  /** Names in lower case. That no name comes twice is checked. */
  headers: Record<string, string>;
  text: string;
}

export interface Exchange extends Answer {
  /** The body as JSON; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: checked against the OpenAPI document, which is typing enough for a test
  json: any;
}

/** Enough connections for the busiest test; kept open, as clients do. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

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

/** An exchange that is not checked, for what is not part of the API: the document itself and /docs. */
export function plainExchange(port: number, target: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers };
    if (options.key !== undefined) headers.authorization = `Bearer ${options.key}`;
    if (options.body !== undefined) headers['content-length'] = String(Buffer.byteLength(options.body));
    const request = sendRequest(
      { agent, host: '127.0.0.1', port, path: target, method: options.method ?? 'GET', headers },
      (response) => collect(response).then(resolve, reject),
    );
    request.setTimeout(30_000, () => request.destroy(new Error(`${target} was not answered in 30 seconds`)));
    request.on('error', reject);
    request.end(options.body);
  });
}

async function collect(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode as number,
    headers: headerRecord(response.rawHeaders),
    text: Buffer.concat(chunks).toString(),
  };
}

/** @param flat name, value, name, value, … @throws when a name comes twice */
export function headerRecord(flat: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) {
    const name = (flat[index] as string).toLowerCase();
    if (Object.hasOwn(headers, name)) throw new Error(`the header ${name} was sent twice`);
    headers[name] = flat[index + 1] as string;
  }
  return headers;
}
