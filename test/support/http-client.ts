/** HTTP requests without a check of the response. */
import { Agent, type IncomingMessage, request as openRequest } from 'node:http';

export interface RequestOptions {
  key?: string;
  headers?: Record<string, string | string[]>;
  method?: string;
  body?: string;
  /** Do not prefix the path with /api/v1. */
  absolute?: true;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case, each once. */
  headers: Record<string, string>;
  text: string;
}

/** Keep-alive connections, enough for the busiest test. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request outside the API's contract, such as for the OpenAPI document or /docs. */
export function sendRequest(
  port: number,
  target: string,
  options: RequestOptions = {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const headers = { ...options.headers };
    if (options.key !== undefined) headers.authorization = `Bearer ${options.key}`;
    if (options.body !== undefined) headers['content-length'] = String(Buffer.byteLength(options.body));
    const request = openRequest(
      { agent, host: '127.0.0.1', port, path: target, method: options.method ?? 'GET', headers },
      (response) => collect(response).then(resolve, reject),
    );
    request.setTimeout(120_000, () =>
      request.destroy(new Error(`no response from ${target} within two minutes`)),
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

async function collect(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode as number,
    headers: parseHeaders(response.rawHeaders),
    text: Buffer.concat(chunks).toString(),
  };
}

/** @param flat name, value, name, value, … @throws if a name occurs twice */
export function parseHeaders(flat: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < flat.length; index += 2) {
    const name = (flat[index] as string).toLowerCase();
    if (Object.hasOwn(headers, name)) throw new Error(`the response repeats the header ${name}`);
    headers[name] = flat[index + 1] as string;
  }
  return headers;
}
