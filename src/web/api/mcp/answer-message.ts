/**
 * Answers one message of the Model Context Protocol. The server is stateless: it answers clients of the revision 2026-07-28, which
 * describe themselves in every message, and those of earlier revisions, which begin with `initialize` (specification, versioning).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type McpToolName, mcpTools, toolDefinitions } from '../../../contract/mcp-tools.ts';
import { apiVersion } from '../../../contract/operations.ts';
import { HttpError, toHttpError } from '../responses/errors.ts';
import { createRpcError, type RpcError, type RpcId } from './rpc-error.ts';
import { quotationNotice, runTool, type ToolContext } from './run-tool.ts';

/** Of clients that describe themselves in every message. */
const modernVersions = ['2026-07-28'];

/** Of clients that begin with `initialize`, the latest first. */
const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** An initialized client of this revision need not send its version. */
const versionWithoutHeader = '2025-03-26';

const serverInfo = { name: 'rostra', title: 'Rostra', version: apiVersion };

const capabilities = { tools: {} };

const instructions = [
  'Rostra publishes the submissions, council sessions and survey results of one municipality. All tools only read.',
  'Begin with find_submissions or find_sessions; list_filter_values has the exact values of their filters, count_records has exact numbers, get_municipality has today’s date and the licence.',
  'Unknown values are left out of results. Days are those of the municipality. Give the address of a record (`page` or `sourceUrl`) beside what you report about it, and the attribution of the source. A single record may have another licence than a list.',
  quotationNotice,
].join('\n');

/** How long clients keep definitions, which are the same for every key. */
const cached = { ttlMs: 3_600_000, cacheScope: 'public' };

export interface McpAnswer {
  status: number;
  /** Empty for a notification. */
  body: string;
  /** Why the message was rejected. */
  rejection?: string;
}

type Members = Readonly<Record<string, unknown>>;

interface Message {
  id: RpcId;
  method: string;
  params: Members;
  isModern: boolean;
}

/** @throws errors of the store, and errors with a status of 500 or above */
export async function answerMessage(
  body: Buffer,
  headers: IncomingHttpHeaders,
  context: ToolContext,
): Promise<McpAnswer> {
  const message = readMessage(body, headers);
  if (message === 'notification') return { status: 202, body: '' };
  if ('error' in message) return toAnswer(message);
  const result = await answerRequest(message, context);
  if (isRpcError(result)) return toAnswer(result);
  const ofRevision = message.isModern
    ? { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }
    : {};
  const answer = { jsonrpc: '2.0', id: message.id, result: { ...result, ...ofRevision } };
  return { status: 200, body: JSON.stringify(answer) };
}

const toAnswer = ({ status, ...answer }: RpcError): McpAnswer => ({
  status,
  body: JSON.stringify(answer),
  rejection: answer.error.message,
});

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (id: unknown): id is RpcId => typeof id === 'string' || Number.isSafeInteger(id);

/** @returns the request, or why the server cannot answer it */
function readMessage(body: Buffer, headers: IncomingHttpHeaders): Message | RpcError | 'notification' {
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return createRpcError(400, -32700, 'The body must be JSON in UTF-8.');
  }
  if (Array.isArray(message))
    return createRpcError(400, -32600, 'Batches are not supported: send one message in each request.');
  const { jsonrpc, id, method, params = {} } = isObject(message) ? message : {};
  const answered = isId(id) ? id : undefined;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (id !== undefined && answered === undefined))
    return createRpcError(
      400,
      -32600,
      'The body must be a JSON-RPC 2.0 request, whose id is a text or an integer, or a notification.',
      answered,
    );
  if (!isObject(params)) return createRpcError(400, -32602, 'The params must be an object.', answered);
  if (answered === undefined) return 'notification';
  const meta = isObject(params._meta) ? params._meta : {};
  const request = { id: answered, method, params };
  const isModern =
    meta[`${metaPrefix}protocolVersion`] !== undefined ||
    (method !== 'initialize' && modernVersions.includes(readHeader(headers, 'mcp-protocol-version')));
  const error = isModern ? findModernError(request, meta, headers) : findLegacyError(request, headers);
  return error ?? { ...request, isModern };
}

const metaPrefix = 'io.modelcontextprotocol/';

type Request = Omit<Message, 'isModern'>;

const readHeader = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '');

function createVersionError(id: RpcId, requested: unknown, supported: readonly string[]): RpcError {
  const version = typeof requested === 'string' ? requested.slice(0, 40).toWellFormed() : '';
  const message = `The protocol version is not supported. Supported: ${supported.join(', ')}.`;
  return createRpcError(400, -32022, message, id, { supported, requested: version });
}

/** Specification 2026-07-28, streamable HTTP: what the headers name must be what the body has. */
function findModernError(
  { id, method, params }: Request,
  meta: Members,
  headers: IncomingHttpHeaders,
): RpcError | undefined {
  const { [`${metaPrefix}protocolVersion`]: version, [`${metaPrefix}clientCapabilities`]: offered } = meta;
  if (typeof version !== 'string' || !isObject(offered))
    return createRpcError(
      400,
      -32602,
      `_meta must have ${metaPrefix}protocolVersion and ${metaPrefix}clientCapabilities.`,
      id,
    );
  const named = method === 'tools/call' ? { 'mcp-name': params.name } : {};
  const expected = { 'mcp-protocol-version': version, 'mcp-method': method, ...named };
  for (const [header, value] of Object.entries(expected))
    if (decodeHeader(readHeader(headers, header)) !== value)
      return createRpcError(400, -32020, `The header ${header} must have the value of the body.`, id);
  return modernVersions.includes(version) ? undefined : createVersionError(id, version, modernVersions);
}

/** Texts beyond ASCII are encoded: `=?base64?…?=`. */
const decodeHeader = (value: string): string => {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
};

function findLegacyError({ id, method }: Request, headers: IncomingHttpHeaders): RpcError | undefined {
  // A client that initializes may name the revision that it hopes for.
  if (method === 'initialize') return undefined;
  const version = readHeader(headers, 'mcp-protocol-version') || versionWithoutHeader;
  const supported = [...modernVersions, ...legacyVersions];
  return legacyVersions.includes(version) ? undefined : createVersionError(id, version, supported);
}

type Result = Members;

const isRpcError = (result: Result | RpcError): result is RpcError => 'jsonrpc' in result;

async function answerRequest(
  { id, method, params, isModern }: Message,
  context: ToolContext,
): Promise<Result | RpcError> {
  const hints = isModern ? cached : {};
  if (method === 'tools/call') return callTool(id, params, context);
  if (method === 'tools/list')
    return params.cursor === undefined
      ? { tools: toolDefinitions, ...hints }
      : createRpcError(400, -32602, 'The list of tools has one page, and no cursor.', id);
  if (isModern && method === 'server/discover')
    return { supportedVersions: modernVersions, capabilities, instructions, ...hints };
  if (!isModern && method === 'ping') return {};
  if (!isModern && method === 'initialize') return initialize(params.protocolVersion);
  const status = isModern ? 404 : 200;
  return createRpcError(status, -32601, 'The method does not exist: this server has tools only.', id);
}

/** A client that asks for another revision decides whether it goes on with this one. */
const initialize = (requested: unknown): Result => ({
  protocolVersion: legacyVersions.find((version) => version === requested) ?? legacyVersions[0],
  capabilities,
  serverInfo,
  instructions,
});

/** Models read and correct the errors of results; errors of the protocol only stop them. */
async function callTool(id: RpcId, params: Members, context: ToolContext): Promise<Result | RpcError> {
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string' || !Object.hasOwn(mcpTools, name))
    return createRpcError(200, -32602, `Unknown tool. Known: ${Object.keys(mcpTools).join(', ')}.`, id);
  try {
    if (!isObject(given)) throw notAnObject;
    return toResult(await runTool(name as McpToolName, given, context), false);
  } catch (error) {
    const { status, message } = toHttpError(error);
    if (status >= 500) throw error;
    return toResult(status === 404 ? notPublished : message, true);
  }
}

const notAnObject = new HttpError(400, 'The arguments must be an object.');

const notPublished = 'No published record has this id: use an id from a result of another tool.';

const toResult = (text: string, isError: boolean): Result => ({
  content: [{ type: 'text', text }],
  ...(isError && { isError }),
});
