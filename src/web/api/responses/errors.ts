import { type ErrorStatus, findErrorCode } from '../../../contract/error-codes.ts';
import { InvalidParameterError } from '../../../contract/parse-query.ts';
import {
  StoreDamagedError,
  StoreUnavailableError,
  WordSearchOffError,
  WordsNotReadyError,
} from '../../../domain/store-errors.ts';
import { ClientLimitError } from '../../open/client-limits.ts';
import { OpenDataBusyError, PublicUrlMissingError } from '../../open/responses.ts';

/**
 * An error response. The message is public; `cause` is only logged. Constant errors are created once, because capturing
 * a stack takes longer than the response itself.
 */
export class HttpError extends Error {
  readonly status: ErrorStatus;
  /** Names and values alternately. */
  readonly headers: readonly string[];
  /** The envelope of specification section 7. */
  readonly body: string;
  /** The parameter to blame. */
  readonly parameter: string | undefined;

  constructor(
    status: ErrorStatus,
    message: string,
    headers: readonly string[] = [],
    cause?: unknown,
    parameter?: string,
  ) {
    super(message, { cause });
    this.status = status;
    this.parameter = parameter;
    this.headers = headers;
    this.body = JSON.stringify({ error: message, code: findErrorCode(status) });
  }
}

/** @param problem the beginning of a sentence that ends with the time to wait */
export const createRetryError = (
  status: 429 | 503,
  problem: string,
  seconds: number,
  cause?: unknown,
  parameter?: string,
) =>
  new HttpError(
    status,
    `${problem}: try again in ${seconds} seconds.`,
    ['retry-after', String(seconds)],
    cause,
    parameter,
  );

const retryAfterUnavailableSeconds = 5;

export const createUnavailableError = (cause?: unknown) =>
  createRetryError(503, 'The service is temporarily unavailable', retryAfterUnavailableSeconds, cause);

const retryAfterIndexSeconds = 60;

const createWordsNotReadyError = (cause: unknown) =>
  createRetryError(
    503,
    'The parameter "words" is not available yet, because the index of words is being built',
    retryAfterIndexSeconds,
    cause,
    'words',
  );

const wordSearchOff = new HttpError(
  400,
  'The parameter "words" is not available: this installation has no index of words.',
  [],
  undefined,
  'words',
);

/** Clients that ignore the sentence wait as for any 503. */
const createDamagedError = (cause: unknown) =>
  new HttpError(
    503,
    'Some stored data is damaged: requests for it fail until the operator repairs it.',
    ['retry-after', String(retryAfterUnavailableSeconds)],
    cause,
  );

const createBusyError = ({ message, retryAfterSeconds }: OpenDataBusyError) =>
  new HttpError(503, `${message} Try again in ${retryAfterSeconds} seconds.`, [
    'retry-after',
    String(retryAfterSeconds),
  ]);

const tooManyRequests = new Map<number, HttpError>();

/** Of a client without a key. Created once for each number of seconds. */
export const getTooManyRequests = (retryAfterSeconds: number): HttpError =>
  tooManyRequests.getOrInsertComputed(retryAfterSeconds, (seconds) =>
    createRetryError(429, 'Your address sends too many requests', seconds),
  );

export const waitingForDatabase = createRetryError(
  503,
  'The service is waiting for its database',
  retryAfterUnavailableSeconds,
);

export const malformedUri = new HttpError(400, 'The URL of the request is malformed.');

export const notAPath = new HttpError(400, 'The URL of the request must begin with a slash.');

export const invalidUri = new HttpError(
  400,
  'The URL of the request has characters that must be percent-encoded: "Ä" is "%C3%84", for example.',
);

/** Length of path and query. Filters of 200 characters in any script, a cursor and a limit need less than half. */
export const maxUriBytes = 8_192;

export const uriTooLong = new HttpError(414, `The URL of the request is longer than ${maxUriBytes} bytes.`);

export const headerTooLarge = new HttpError(
  431,
  'The URL and the header of the request together are larger than 16 kB.',
);

export const methodNotAllowed = new HttpError(405, 'This URL supports only GET and HEAD.', [
  'allow',
  'GET, HEAD',
]);

export const onlyPostAllowed = new HttpError(405, 'This URL supports only POST.', ['allow', 'POST']);

export const notFound = new HttpError(404, 'This URL does not exist: the API is documented at /docs.');

export const resyncRequired = new HttpError(
  410,
  'The cursor is from another history of the data, or older than the removals that are listed: start again without a cursor, and replace your copy.',
);

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidParameterError)
    return new HttpError(400, error.message, [], undefined, error.parameter);
  if (error instanceof StoreDamagedError) return createDamagedError(error);
  if (error instanceof WordsNotReadyError) return createWordsNotReadyError(error);
  if (error instanceof WordSearchOffError) return wordSearchOff;
  if (error instanceof StoreUnavailableError) return createUnavailableError(error);
  if (error instanceof ClientLimitError) return getTooManyRequests(error.retryAfterSeconds);
  if (error instanceof OpenDataBusyError) return createBusyError(error);
  if (error instanceof PublicUrlMissingError) return new HttpError(503, error.message);
  return new HttpError(500, 'Internal error: quote the request ID to the operator.', [], error);
}
