/** Clients of the endpoint for AI assistants: the official one, and messages as they are. */
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Scope } from './files.ts';
import { type HttpResponse, sendRequest } from './http-client.ts';

export interface McpResponse extends HttpResponse {
  // biome-ignore lint/suspicious/noExplicitAny: the tests check it
  json: any;
}

interface MessageOptions {
  key?: string | undefined;
  headers?: Record<string, string>;
  method?: string;
}

export async function sendMessage(
  { port }: { port: number },
  body: string,
  { key, headers = {}, method = 'POST' }: MessageOptions = {},
): Promise<McpResponse> {
  const response = await sendRequest(port, '/mcp', {
    method,
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(key !== undefined && { key }),
  });
  return { ...response, json: response.text === '' ? undefined : JSON.parse(response.text) };
}

export const composeRequest = (method: string, params: object = {}, id: string | number = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const composeCall = (name: string, given: unknown = {}): string =>
  composeRequest('tools/call', { name, arguments: given });

const metaPrefix = 'io.modelcontextprotocol/';

/** A request of the revision 2026-07-28, with the headers that belong to it. */
export function composeModernRequest(
  method: string,
  params: { name?: string; arguments?: unknown } = {},
  version = '2026-07-28',
): [body: string, headers: Record<string, string>] {
  const _meta = { [`${metaPrefix}protocolVersion`]: version, [`${metaPrefix}clientCapabilities`]: {} };
  const headers = {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(params.name !== undefined && { 'mcp-name': params.name }),
  };
  return [composeRequest(method, { ...params, _meta }), headers];
}

/** Calls a tool. @returns what it says, as text and parsed */
export async function callTool(server: { port: number }, key: string, name: string, given: unknown = {}) {
  const { status, json } = await sendMessage(server, composeCall(name, given), { key });
  assert.equal(status, 200, JSON.stringify(json));
  const { content, isError = false } = json.result;
  assert.equal(content.length, 1);
  const { text }: { text: string } = content[0];
  return { text, isError, data: isError ? undefined : JSON.parse(text) };
}

export type Era = 'legacy' | 'auto';

/** The official client. @param recorded gets a line for each of its requests */
export async function connectClient(
  scope: Scope,
  { address }: { address: string },
  key: string,
  era: Era,
  recorded: string[] = [],
): Promise<Client> {
  const record: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const { method = '' } = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
    recorded.push([init?.method, method, response.status].filter(Boolean).join(' '));
    return response;
  };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: record,
    }),
  );
  scope.after(() => client.close());
  return client;
}
