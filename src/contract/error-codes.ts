/**
 * The closed set of machine-readable error codes and the HTTP statuses each may travel with
 * (specification section 7; the last three are added by the decisions on transport).
 *
 * BAD_REQUEST has several statuses because malformed HTTP keeps the status that RFC 9110 gives it.
 */
export const errorCodes = {
  BAD_REQUEST: [400, 408, 414, 431],
  UNAUTHORIZED: [401],
  NOT_FOUND: [404],
  METHOD_NOT_ALLOWED: [405],
  RATE_LIMITED: [429],
  INTERNAL_ERROR: [500],
  UNAVAILABLE: [503],
} as const;

export type ErrorCode = keyof typeof errorCodes;
export type ErrorStatus = (typeof errorCodes)[ErrorCode][number];

const codeByStatus = new Map<ErrorStatus, ErrorCode>();
for (const [code, statuses] of Object.entries(errorCodes) as [ErrorCode, readonly ErrorStatus[]][]) {
  for (const status of statuses) codeByStatus.set(status, code);
}

/** The code that a status carries; every status of the set has exactly one. */
export function errorCodeFor(status: ErrorStatus): ErrorCode {
  return codeByStatus.get(status) as ErrorCode;
}
