/**
 * The tools for AI assistants at `/mcp`. Each runs an operation of the API. Its parameters are those of the operation, so that a new
 * filter is a new parameter, and its results have all fields of the operation.
 */
import type { TSchema } from 'typebox';
import { type Operation, type OperationId, operations, urlSentences } from './operations.ts';
import { sessionFields } from './resources/session.ts';
import { SessionCount, SubmissionCount } from './resources/statistics.ts';
import { submissionFields } from './resources/submission.ts';

/** A parameter in JSON Schema, without patterns: the operation checks them, and some models misread them. */
export type ToolParameter = Readonly<Record<string, unknown>> & { type: string; minimum?: number };

interface Tool {
  operation: Exclude<OperationId, 'getHealth'>;
  description: string;
  /** Beside those of the operation. */
  ownParameters?: Readonly<Record<string, ToolParameter>>;
  /** Default of `limit`, if it is not `defaultItems`. */
  items?: number;
}

/** Items of a result, unless the assistant asks for another number. */
const defaultItems = 8;

const startOf = (subject: string): ToolParameter => ({
  type: 'integer',
  minimum: 0,
  default: 0,
  description: `Number of ${subject} to skip: \`next_offset\` of the previous result.`,
});

/** What statistics can be grouped by. */
export const countGroups = {
  submissions: ['year', ...Object.keys(SubmissionCount.properties).filter((name) => name !== 'count')],
  sessions: ['year', ...Object.keys(SessionCount.properties).filter((name) => name !== 'count')],
};

export type CountedRecords = keyof typeof countGroups;

const countedRecords = Object.keys(countGroups) as CountedRecords[];

const describeGroups = countedRecords.map((kind) => `${kind}: ${countGroups[kind].join(', ')}`).join('; ');

export const mcpTools = {
  get_municipality: {
    operation: 'getOrganization',
    description:
      'Facts about the municipality and its data: name, time zone, today’s date, licence, attribution, contact, and the first and last day of its submissions and sessions.',
  },
  find_submissions: {
    operation: 'searchSubmissions',
    description:
      'Finds submissions: requests and proposals of citizens, motions and questions of council groups. Newest first; with days of the status, the latest change first. Texts are shortened; get_submission has them in full. To count, use count_records.',
  },
  get_submission: {
    operation: 'getSubmission',
    description:
      'One submission with its whole text, the reply of the municipality, and the sessions that had it on their agenda. A long text comes in parts.',
    ownParameters: { text_offset: startOf('characters of long texts') },
  },
  find_sessions: {
    operation: 'searchSessions',
    description:
      'Finds sessions of the council and its committees, without agendas. Latest first, future ones included. For the next session use date_from with today’s date and direction asc.',
  },
  get_session: {
    operation: 'getSession',
    description: 'One session with its agenda: the submissions on it, in their order, with shortened texts.',
    ownParameters: { agenda_offset: startOf('entries of the agenda') },
  },
  list_surveys: {
    operation: 'listSurveys',
    description: 'The published surveys with their status and number of responses.',
  },
  get_survey_results: {
    operation: 'getSurveyResults',
    description:
      'The questions of a survey, with the number of responses for each option. A share is a number divided by the sum of its question, and for the type `multiple_choice` by `totalResponses`.',
    ownParameters: { question_offset: startOf('questions') },
  },
  count_records: {
    operation: 'getStatistics',
    description: `Exact numbers of submissions or sessions, in total and by group. Groups of ${describeGroups}.`,
    ownParameters: {
      records: {
        type: 'string',
        enum: countedRecords,
        default: 'submissions',
        description: 'What to count.',
      },
      group_by: {
        type: 'array',
        items: { type: 'string', enum: [...new Set(Object.values(countGroups).flat())] },
        maxItems: 3,
        description: 'Groups of the numbers. Leave it out for the total.',
      },
    },
  },
  list_filter_values: {
    operation: 'listFacets',
    description:
      'The statuses, topics and committees that occur: the exact values that the filters of find_submissions and find_sessions accept.',
    items: 100,
  },
} as const satisfies Record<string, Tool>;

export type McpToolName = keyof typeof mcpTools;

/** The parameters of a tool by name. */
export function listParameters(name: McpToolName): Readonly<Record<string, ToolParameter>> {
  const { operation, ownParameters, items = defaultItems }: Tool = mcpTools[name];
  const { pathId, query = {} }: Pick<Operation, 'pathId'> & { query?: Record<string, TSchema> | undefined } =
    operations[operation];
  const derived = Object.entries({ ...(pathId && { id: pathId }), ...query }).map(([parameter, schema]) => [
    parameter,
    parameter === 'limit'
      ? { ...toParameter(parameter, schema), default: items }
      : toParameter(parameter, schema),
  ]);
  return { ...Object.fromEntries(derived), ...ownParameters };
}

const keptKeywords = ['type', 'description', 'enum', 'default', 'minimum', 'maximum', 'maxItems'];

function toParameter(name: string, schema: TSchema): ToolParameter {
  const kept = Object.entries(schema).filter(([keyword]) => keptKeywords.includes(keyword));
  const { items, description = '' } = schema as { items?: TSchema; description?: string };
  const { controlCharacters, repeat } = urlSentences;
  return {
    ...Object.fromEntries(kept),
    description: description
      .replace(` ${controlCharacters}`, '')
      .replace(repeat(name), 'Any of the values may match.'),
    ...(items && { items: { type: 'string' } }),
  } as unknown as ToolParameter;
}

/** Fields that people write freely: results quote them. */
export const quotedFields: ReadonlySet<string> = new Set(
  Object.entries({ ...submissionFields, ...sessionFields }).flatMap(([name, field]) => {
    const kind = 'fromColumn' in field ? field.fromColumn.kind : undefined;
    return kind === 'markup' || kind === 'title' ? [name] : [];
  }),
);

/** The answer to `tools/list`, in which the title of a tool is the summary of its operation. */
export const toolDefinitions = (Object.entries(mcpTools) as [McpToolName, Tool][]).map(
  ([name, { operation, description }]) => {
    const properties = listParameters(name);
    return {
      name,
      title: operations[operation].summary,
      description,
      inputSchema: {
        type: 'object',
        properties,
        required: 'id' in properties ? ['id'] : [],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    };
  },
);
