/** The endpoint of AI assistants. It checks and counts keys like the operations of the API, before it reads the message. */
import type { Store } from '../../../domain/store.ts';
import { readOrigin } from '../../../platform/http/own-origin.ts';
import { admitRequest, isContinueExpected } from '../admit-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { Respond } from '../responses/send-response.ts';
import { readBody } from './read-body.ts';
import { createRpcError, type RpcError } from './rpc-error.ts';

interface McpRouteOptions {
  store: Store;
  /** Origin at which clients reach this installation; undefined: unknown. */
  publicUrl: string | undefined;
  corsOrigins: readonly string[];
  respond: Respond;
  fail: (context: RequestContext, error: unknown) => void;
  /** Responds with 503 if the work takes too long. */
  limitTime: <Result>(context: RequestContext, work: Promise<Result>) => Promise<Result>;
}

/** It loads nothing that only assistants need. */
export const mcpPath = '/mcp';

const maxBodyBytes = 65_536;

const foreignOrigin = createRpcError(403, 403, 'Web pages of this origin may not send messages.');

const bodyTooLarge = createRpcError(413, 413, `The message is larger than ${maxBodyBytes} bytes.`);

export function createMcpRoute({
  store,
  publicUrl,
  corsOrigins,
  respond,
  fail,
  limitTime,
}: McpRouteOptions): (context: RequestContext) => void {
  function reject(context: RequestContext, { status, ...body }: RpcError): void {
    respond(context, status, {
      body: JSON.stringify(body),
      rejection: { message: body.error.message },
    });
  }

  async function answer(context: RequestContext): Promise<void> {
    const { request, response } = context;
    const admission = await limitTime(context, admitRequest(context, store));
    if (response.headersSent) return;
    if (isForeign(request.headers.origin, publicUrl, corsOrigins)) return reject(context, foreignOrigin);
    if (isContinueExpected(request)) response.writeContinue();
    const bodyStartedMs = performance.now();
    const body = await readBody(request, maxBodyBytes);
    // The time that a client takes to send its message is limited by the server.
    context.startedMs += performance.now() - bodyStartedMs;
    if (body === 'aborted') return;
    if (body === 'too large') return reject(context, bodyTooLarge);
    context.hasUnreadBody = false;
    const { answerMessage } = await import('./answer-message.ts');
    const tools = { store, publicUrl, admission, origin: publicUrl ?? readOrigin(request) };
    const {
      status,
      body: text,
      rejection,
    } = await limitTime(context, answerMessage(body, request.headers, tools));
    // The usage of a key lists rejections by their status, and an error of JSON-RPC can have the status 200.
    const isRejected = rejection !== undefined && status >= 400;
    respond(context, status, { body: text, ...(isRejected && { rejection: { message: rejection } }) });
  }

  return (context) => void answer(context).catch((error) => fail(context, error));
}

/**
 * A page whose host name an attacker has pointed to this server has an origin too (DNS rebinding). Programs have none. Without a
 * public address, pages of the same machine are trusted.
 */
function isForeign(
  origin: string | undefined,
  publicUrl: string | undefined,
  corsOrigins: readonly string[],
): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return false;
  if (publicUrl !== undefined) return origin !== new URL(publicUrl).origin;
  return !URL.canParse(origin) || !loopbackHosts.includes(new URL(origin).hostname);
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];
