/** Texts about the use of a key. */

/** By `operationId`; other operations are shown by their id alone. */
const operations: Record<string, string> = {
  getMe: 'Key information',
  listSubmissions: 'Submissions',
  getSubmission: 'Single submission',
  listSessions: 'Sessions',
  getSession: 'Single session',
  listSupport: 'Support',
  listSurveys: 'Surveys',
  getSurveyResults: 'Survey results',
  getStatistics: 'Statistics',
  searchSubmissions: 'Search in submissions',
  searchSessions: 'Search in sessions',
  listFacets: 'Values of filters',
  getOrganization: 'Municipality',
  listChanges: 'Changes',
  unknown: 'Unknown path or method',
};

/** By HTTP status. */
const statuses: Record<number, string> = {
  200: 'answered',
  400: 'invalid request',
  401: 'key not valid',
  404: 'not found',
  405: 'method not allowed',
  410: 'position expired',
  414: 'URL too long',
  429: 'limit reached',
  431: 'headers too large',
  500: 'internal error',
  503: 'unavailable',
};

/** By HTTP status. */
const explanations: Record<number, string> = {
  400: 'A parameter or cursor is unknown or invalid, or the request is malformed. The program needs to be corrected.',
  404: 'The path or the requested object does not exist. Deleted objects and objects of other municipalities give the same result.',
  405: 'The program used a method other than GET or HEAD. The API is read-only.',
  410: 'The program’s position in the list of changes is no longer valid, for example after a backup was restored. The program must fetch all data again.',
  414: 'The URL of the request is too long. The program needs to be corrected.',
  429: 'The key had used up the requests of the current window. The program should wait before it tries again. If this happens often, the key needs a higher request limit.',
  431: 'The headers of the request are too large. The program needs to be corrected.',
  500: 'Internal error. Ask your operator to check the server log for this time.',
  503: 'The service was stopping or could not reach its database. The program should try again later.',
};

export const usage = {
  title: 'Usage',
  lastDays: (days: number) => `Last ${days} days`,
  delay:
    'Days are in UTC. Days without requests are not listed in the table. New requests appear after a few seconds.',
  none: (days: number) =>
    `There were no requests with this key in the last ${days} days. New requests appear after a few seconds.`,
  chart: 'Requests per day by result',
  results: {
    answered: 'answered',
    invalid: 'client error',
    inactive: 'key not valid',
    limited: 'limit reached',
    failed: 'server error',
  },
  byOperation: 'Requests by requested data and result',
  operation: 'Requested data',
  operations,
  statuses,
  day: 'Day',
  daily: 'Requests per day',
  download: (days: number) => `Download the last ${days} days as CSV`,
  stillInUse: 'This key is no longer valid, but a program still uses it',
  /** @param lastDay in UTC */
  stillInUseText: (count: number, requests: string, lastDay: string) =>
    `${count === 1 ? 'One request' : `${requests} requests`} with this key ${count === 1 ? 'was' : 'were'} rejected in the last 7 days, most recently on ${lastDay} (UTC). Find out who operates the program, and issue a new key if it still needs access.`,
};

export const rejectedRequests = {
  title: 'Latest rejected requests',
  intro:
    'The latest 50 requests that were rejected while the key was valid, within the last 90 days, with the answer that the program received. Rostra stores names of parameters, but neither their values nor IP addresses.',
  none: 'No request was rejected while the key was valid within the last 90 days.',
  status: 'Code (status)',
  parameter: 'Parameter',
  message: 'Answer to the program',
  earlier: (count: string) => `Earlier rejected requests (${count})`,
  meaning: 'What the codes mean',
  explanations,
  documentation: 'Error codes in the API documentation',
};
