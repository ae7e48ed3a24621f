/**
 * The closed set of error codes with their HTTP statuses (specification section 7; METHOD_NOT_ALLOWED, INTERNAL_ERROR and
 * UNAVAILABLE come from the decisions on transport, RESYNC_REQUIRED belongs to the extension listChanges). Malformed HTTP
 * keeps the status of RFC 9110 under the code BAD_REQUEST.
 */
export const errorCodes = {
  BAD_REQUEST: [400, 408, 414, 431],
  UNAUTHORIZED: [401],
  NOT_FOUND: [404],
  METHOD_NOT_ALLOWED: [405],
  RESYNC_REQUIRED: [410],
  RATE_LIMITED: [429],
  INTERNAL_ERROR: [500],
  UNAVAILABLE: [503],
} as const;

export type ErrorCode = keyof typeof errorCodes;
export type ErrorStatus = (typeof errorCodes)[ErrorCode][number];

const entries = Object.entries(errorCodes) as [ErrorCode, readonly ErrorStatus[]][];
const codeByStatus = new Map(entries.flatMap(([code, statuses]) => statuses.map((status) => [status, code])));

export const findErrorCode = (status: ErrorStatus) => codeByStatus.get(status) as ErrorCode;
