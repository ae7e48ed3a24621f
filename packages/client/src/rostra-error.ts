import type { ErrorCode } from './contract-types.ts';

/** `NETWORK_ERROR`: no response arrived. `INVALID_RESPONSE`: the response does not come from this API, or a cache repeats a page. */
export type RostraErrorCode = ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE';

interface RostraErrorDetails {
  code: RostraErrorCode;
  url: string;
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** A request failed, after all retries. */
export class RostraError extends Error {
  /** For programs. Later versions of the API can have further codes. */
  readonly code: RostraErrorCode;
  readonly url: string;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Identifies the request in the log of the installation. Quote it to the operator. */
  readonly requestId: string | undefined;
  /** Time that the server asks to wait; undefined if it names none. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    { code, url, status, requestId, retryAfterSeconds, cause }: RostraErrorDetails,
  ) {
    super(message, { cause });
    this.name = 'RostraError';
    this.code = code;
    this.url = url;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
