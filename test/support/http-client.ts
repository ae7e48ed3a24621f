/** HTTP requests without a check of the response. */
import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

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
  /** As received: compressed, if the response has a Content-Encoding. */
  body: Buffer;
  /** The body without its Content-Encoding. */
  text: string;
}

const decoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

export function createHttpResponse(
  status: number,
  headers: Record<string, string>,
  body: Buffer,
): HttpResponse {
  const encoding = headers['content-encoding'];
  // The response to HEAD has a Content-Encoding, but no body.
  const decode = encoding === undefined || body.length === 0 ? undefined : decoders[encoding];
  return { status, headers, body, text: (decode?.(body) ?? body).toString() };
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
      (response) => readResponse(response).then(resolve, reject),
    );
    request.setTimeout(120_000, () =>
      request.destroy(new Error(`no response from ${target} within two minutes`)),
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

export async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { statusCode, rawHeaders } = response;
  return createHttpResponse(statusCode as number, parseHeaders(rawHeaders), Buffer.concat(chunks));
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
