import { checkResponse, loadContract } from '../../support/contract.ts';
import { sendRequest } from '../../support/http-client.ts';
import {
  createSeededRandom,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  missingId,
} from '../../support/records.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, type Tally } from '../tally.ts';

const clientCount = 8;

// biome-ignore lint/suspicious/noExplicitAny: a schema of the OpenAPI document
type Schema = any;

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: Schema;
}

interface FuzzedRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  key: string | undefined;
  /** Whether all parameters satisfy their schema. */
  isValid: boolean;
  isKeyAccepted: boolean;
}

const ids = [formatSubmissionId(1), formatSessionId(1), formatSurveyId(1), missingId];
const scraps = [
  '',
  '%20',
  '0',
  '-1',
  '101',
  '1001',
  '1e3',
  '01',
  'null',
  'true',
  '%00',
  '%ff',
  '%',
  '%zz',
  '%F0%9F%8C%B3',
  '%E2%80%AE',
  "'",
  '%22',
  '..%2f',
  'x'.repeat(201),
  'x'.repeat(2_000),
  '[]',
  '__proto__',
];

/** Together they are ranges that do not end before they begin, which a schema cannot say. */
const firstDays = ['0001-01-01', '2024-02-29', '2026-03-01'];
const lastDays = ['2026-03-01', '2026-10-25', '9999-12-31'];

const words = ['A', 'x', 'in_review', 'Mobility', 'a%2Bb%3Dc', '100%20%25%20%22Gr%C3%BCn%22'];

interface Keys {
  valid: string[];
  invalid: (string | undefined)[];
}

class RequestComposer {
  readonly #random: () => number;
  readonly #keys: Keys;
  readonly #operations: { path: string; parameters: Parameter[] }[];

  constructor(document: Schema, keys: Keys, random: () => number) {
    this.#random = random;
    this.#keys = keys;
    this.#operations = Object.entries<Schema>(document.paths).map(([path, { get, parameters = [] }]) => ({
      path,
      parameters: [...parameters, ...(get.parameters ?? [])].map((parameter) => resolve(document, parameter)),
    }));
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  /** A value that satisfies the schema, percent-encoded. */
  #composeValid(name: string, schema: Schema): string {
    if (schema.enum !== undefined) return this.#pick(schema.enum);
    if (schema.format === 'uuid') return this.#pick([...ids, this.#pick(ids).toUpperCase()]);
    // A maximum length is that of all words; a single one is shorter.
    if (name === 'words') return this.#pick(words);
    if (schema.format === 'date') return this.#pick(name.endsWith('to') ? lastDays : firstDays);
    if (schema.type === 'integer')
      return String(
        this.#pick([schema.minimum, schema.maximum, schema.minimum + this.#below(schema.maximum)]),
      );
    return this.#pick([...words, 'x'.repeat(schema.maxLength ?? 10)]);
  }

  /** The values of a parameter of a query, which occurs once for each. */
  #composeValues({ name, schema }: Parameter): string[] {
    if (schema.type !== 'array') return [this.#composeValid(name, schema)];
    const count = this.#pick([1, 2, schema.maxItems]);
    // Only one may be long: there is a limit for the URL, too.
    const others = Array.from({ length: count - 1 }, (_, index) => `${index}`);
    return [this.#composeValid(name, schema.items), ...others];
  }

  compose(): FuzzedRequest {
    const { path, parameters } = this.#pick(this.#operations);
    let isValid = true;
    const composeValues = (parameter: Parameter) => {
      if (this.#random() < 0.75) return this.#composeValues(parameter);
      isValid = false;
      return [this.#pick(scraps)];
    };
    const ofPath = parameters.filter((parameter) => parameter.in === 'path');
    const target = ofPath.reduce(
      (text, parameter) => text.replace(`{${parameter.name}}`, () => composeValues(parameter).join()),
      path,
    );
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && this.#random() < 0.5)
      .flatMap((parameter) => {
        // A valid cursor comes from a page only.
        if (parameter.name === 'cursor') isValid = false;
        return composeValues(parameter).map((value) => `${parameter.name}=${value}`);
      });
    if (!canCombine(query.map((part) => part.slice(0, part.indexOf('='))))) isValid = false;
    if (this.#random() < 0.1) {
      isValid = false;
      query.push(this.#pick(['unknown=1', 'limit=1&limit=2', '=', '&', 'limit', 'limit[]=1', '%00=1']));
    }
    const isKeyAccepted = this.#random() < 0.85;
    const key = this.#pick<string | undefined>(isKeyAccepted ? this.#keys.valid : this.#keys.invalid);
    const headers: Record<string, string> = {};
    if (this.#random() < 0.3)
      headers['accept-encoding'] = this.#pick(['gzip', 'br', 'zstd', 'identity', 'x;q=2', '*']);
    if (this.#random() < 0.1) headers.accept = this.#pick(['text/html', 'application/xml', '*/*;q=0', 'x']);
    if (this.#random() < 0.1) headers['if-none-match'] = '*';
    if (this.#random() < 0.1) headers.range = 'bytes=0-1';
    const method =
      this.#random() < 0.85 ? 'GET' : this.#pick(['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
    const search = query.length === 0 ? '' : `?${query.join('&')}`;
    return { method, target: `/api/v1${target}${search}`, headers, key, isValid, isKeyAccepted };
  }
}

/** What the descriptions of the document say about several parameters, and no schema can. @param names with repeated ones */
function canCombine(names: readonly string[]): boolean {
  const hasDaysOfChange = names.some((name) => name.startsWith('status_changed_'));
  const hasOtherOrder = names.some((name) => name === 'words' || name.startsWith('created_'));
  const counts = [...Map.groupBy(names, (name) => name).values()].map(({ length }) => length);
  const combinations = counts.reduce((product, count) => product * count, 1);
  return combinations <= 400 && !(hasDaysOfChange && hasOtherOrder);
}

/** Follows a reference of the document. */
function resolve(document: Schema, value: Schema): Schema {
  if (value.$ref === undefined) return value;
  return (value.$ref as string)
    .slice(2)
    .split('/')
    .reduce((node, name) => node[name], document);
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const server = await startServer(fixture.database);
  const contract = await loadContract(server.port);
  const { alice, bob, charlie, revoked, expired } = fixture;
  const keys = { valid: [alice, bob, charlie], invalid: [undefined, revoked, expired, 'x', `${alice}x`] };

  return {
    measure: async (first, count) => {
      const composer = new RequestComposer(contract.document, keys, createSeededRandom(first));
      const requests = Array.from({ length: count }, () => composer.compose()).values();
      const work = async () => {
        for (const request of requests) await sendFuzzed(request);
      };
      await Promise.all(Array.from({ length: clientCount }, work));
    },
  };

  async function sendFuzzed(request: FuzzedRequest): Promise<void> {
    const { method, target, key, headers } = request;
    const response = await sendRequest(server.port, target, {
      method,
      headers,
      ...(key === undefined ? {} : { key }),
    });
    try {
      checkResponse(contract, { method, target, hasKey: key !== undefined }, response);
      judge(request, response.status, tally);
    } catch (error) {
      fail(tally, (error as Error).message.slice(0, 400));
    }
  }
}

/** The status follows from the request: schemas decide about 400, and keys about 401. */
function judge(
  { method, target, isValid, isKeyAccepted }: FuzzedRequest,
  status: number,
  tally: Tally,
): void {
  add(tally, `${status}`);
  if (status >= 500) fail(tally, `${method} ${target}: ${status}`);
  if (method !== 'GET' && method !== 'HEAD') return;
  const isPublic = target.startsWith('/api/v1/health');
  if (isPublic) return;
  if (!isKeyAccepted && status === 200) fail(tally, `${method} ${target}: 200 without a valid key`);
  if (isKeyAccepted && isValid && ![200, 404].includes(status))
    fail(tally, `${method} ${target}: ${status} for a valid request`);
}

export const openapiFuzz: Figure = {
  number: 1,
  promise:
    'Requests fuzzed from the OpenAPI document cause no 5xx, no response outside of the document and no missing header; valid ones are never rejected.',
  unit: 'requests',
  fullSize: 100_000,
  minSize: 2_000,
  batchSize: 1_000,
  engines: ['sqlite', 'postgres'],
  minutes: 3,
  defect: {
    description: 'the maximum of limit is rejected',
    edits: [{ file: 'src/contract/parse-query.ts', from: 'value <= maximum', to: 'value < maximum' }],
  },
  start,
  conclude: (tally, done) => {
    const statuses = Object.keys(tally.counts);
    return {
      measured: `${formatNumber(done)} requests, ${tally.failureCount} outside of the document (${statuses.map((status) => `${status}: ${formatCount(tally, status)}`).join(', ')})`,
      violations: ['200', '400', '401', '404', '405']
        .filter((status) => !statuses.includes(status))
        .map((status) => `no ${status}`),
    };
  },
};
