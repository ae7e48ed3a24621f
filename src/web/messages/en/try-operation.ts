/** Texts of the page that runs operations of the API. */
import type { RunnableOperationId } from '../../../domain/installation/run-operation.ts';

/** By the name of the parameter, instead of the contract's description, which is English. */
const parameterHints: Record<string, string> = {};

export const tryIt = {
  title: 'Try the API',
  intro:
    'Run a request and see the response that a program with a key receives. The request does not count towards the request limit of any key.',
  operation: 'Request',
  operations: {
    listSubmissions: 'List submissions',
    getSubmission: 'Get a submission',
    listSessions: 'List sessions',
    getSession: 'Get a session',
    listSupport: 'List support tallies',
    getSurveyResults: 'Get the results of a survey',
    listSurveys: 'List surveys',
    getStatistics: 'Count submissions and sessions',
    searchSubmissions: 'Search submissions',
    searchSessions: 'Search sessions',
    listFacets: 'List the values of filters',
    getOrganization: 'Get details of the municipality',
    listChanges: 'List changes',
  } satisfies Record<RunnableOperationId, string>,
  choose: 'Choose request',
  parameterHints,
  noParameters: 'This request has no parameters.',
  onePerLine: 'Enter each value on a line of its own.',
  required: 'required',
  run: 'Run request',
  response: 'Response',
  header: 'Header',
  value: 'Value',
  headers: 'Headers',
  limitNote:
    'The headers about the request limit show the default limit. With a key, they show the limit and the remaining requests of that key.',
  body: 'Body',
  nextPage: 'Request the next page',
};
