/** Errors of JSON-RPC 2.0 with the status of their response. */
import { findErrorCode } from '../../../contract/error-codes.ts';
import type { HttpError } from '../responses/errors.ts';

export type RpcId = string | number;

export interface RpcError {
  status: number;
  jsonrpc: '2.0';
  /** undefined: that of the request is unknown. */
  id: RpcId | undefined;
  error: { code: number; message: string; data?: unknown };
}

export const createRpcError = (
  status: number,
  code: number,
  message: string,
  id?: RpcId,
  data?: unknown,
): RpcError => ({
  status,
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});

/**
 * The body of an error of HTTP. Its code is the status, outside of the numbers that JSON-RPC reserves. Clients show the body, but not
 * the header that says when to try again.
 */
export function formatHttpError({ status, message, headers }: HttpError): string {
  const at = headers.indexOf('retry-after');
  const { status: _, ...body } = createRpcError(status, status, message, undefined, {
    code: findErrorCode(status),
    ...(at !== -1 && { retryAfterSeconds: Number(headers[at + 1]) }),
  });
  return JSON.stringify(body);
}
