/** Texts of the pages that show published data, and run operations of the API. */
import type { RunnableOperationId } from '../../../domain/operation-runner.ts';

const operations: Record<RunnableOperationId, string> = {
  listSubmissions: 'List submissions',
  getSubmission: 'Get a submission',
  listSessions: 'List sessions',
  getSession: 'Get a session',
  listSupport: 'List support tallies',
  getSurveyResults: 'Get the results of a survey',
  listSurveys: 'List surveys',
  getOrganization: 'Get details of the municipality',
  listChanges: 'List changes',
};

/** By the name of the parameter, instead of the contract's description, which is English. */
const parameterHints: Record<string, string> = {};

export const browse = {
  browse: {
    title: 'Published data',
    intro:
      'This is the data that the API publishes for your municipality. Every active key can read all of this data. Drafts and survey results withheld to protect respondents are not published, so they are not shown here.',
    reset: 'Remove all filters',
    submissionWords: 'Text or reference number',
    /** @param field its label */
    any: (field: string) => `Any ${field.toLowerCase()}`,
    invalidDate: 'Enter a date, such as 2026-03-31.',
    reversedDates: 'The date in “To” must not be before the date in “From”.',
    found: (count: string) => (count === '1' ? '1 result on this page.' : `${count} results on this page.`),
    searchedTo: (date: string) => `Searched back to ${date}. Older entries have not been searched yet.`,
    searchFurther: 'Search further back',
    noMatch: 'No results.',
    noSurveys: 'No surveys have been published yet.',
    maxSurveys: (count: string) => `Only the first ${count} surveys are searched.`,
    submissionTitle: (reference: string) => `Submission ${reference}`,
    noText: 'This submission has no text.',
    yes: 'yes',
    no: 'no',
    sessionTitle: (committee: string, date: string) => `${committee}, ${date}`,
    agendaEmpty: 'No submissions are on the agenda.',
    agendaCut: (shown: string, all: string) => `The first ${shown} of ${all} submissions are shown.`,
    position: 'No.',
    questionType: 'Question type',
    option: 'Answer',
    shareOf: (responses: string) =>
      responses === '1' ? 'Share of 1 response' : `Share of ${responses} responses`,
    unpublishedAnswers: 'No answer, or answer not published',
    severalAnswers: 'Several answers were possible, so the shares can add up to more than 100%.',
    rounded: 'Shares are rounded.',
    noOptions: 'No answers were counted for this question.',
    noQuestions: 'This survey has no questions.',
    viaApi: 'Request with the API',
    request: 'Request',
    requestHint: 'Replace YOUR_API_KEY with a key.',
    response: 'Response (JSON)',
    responseCut: (shown: string, all: string) => `The first ${shown} kB of ${all} kB are shown.`,
    runRequest: 'Try this request',
  },
  tryIt: {
    title: 'Try the API',
    intro:
      'Run a request and see the response that a program with a key receives. The request does not count towards the request limit of any key.',
    operation: 'Request',
    operations,
    choose: 'Choose request',
    parameterHints,
    noParameters: 'This request has no parameters.',
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
  },
};
