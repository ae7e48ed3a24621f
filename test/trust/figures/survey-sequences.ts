import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPlaceholderWords } from '../../../src/domain/organizations/placeholder-words.ts';
import type { SurveyRecord } from '../../../src/domain/records/records.ts';
import { toCsv } from '../../support/files.ts';
import { createSeededRandom, formatUuid } from '../../support/records.ts';
import type { Figure } from '../figure.ts';
import { importSurveyFile, type SurveyImports, startSequences } from '../survey-imports.ts';
import { add, fail, formatCount, formatNumber, getCount } from '../tally.ts';

const threshold = 3;
const otherText = getPlaceholderWords('de').otherAnswers;
const questions = ['First', 'Second', 'Third'];
const options = ['A', 'B', 'C', 'D'];
const maxFirstResponses = 20;
const maxNewResponses = 9;
const minSteps = 4;
const maxSteps = 9;
const closeProbability = 0.1;
/** Of the last file. */
const lastCloseProbability = 0.5;
const hideProbability = 0.3;
const dropProbability = 0.1;
const lossProbability = 0.2;
const renameProbability = 0.3;
/** Options that later responses choose more often, so that counts change from small to large. */
const skew = 0.6;

type Response = Record<string, string>;

interface Cell {
  options: ReadonlySet<string>;
  count: number;
}

/** A published number of people in each of two states. */
interface Sum {
  before: number;
  after: number;
}

const isSmall = (count: number) => count !== 0 && Math.abs(count) < threshold;

const createResponse = (random: () => number, step: number): Response =>
  Object.fromEntries(
    questions.map((question) => {
      const isSkewed = random() < skew;
      const index = isSkewed ? step % options.length : Math.floor(random() * (options.length + 1));
      return [question, options[index] ?? ''];
    }),
  );

/** Changes the responses as the next file has them: none, one more, one less, or several more. */
function changeResponses(responses: Response[], random: () => number, step: number): void {
  const several = Math.ceil(random() * maxNewResponses);
  const added = [0, 1, several, several][Math.floor(random() * 4)] as number;
  if (random() < lossProbability) responses.splice(Math.floor(random() * responses.length), 1);
  for (let count = 0; count < added; count += 1) responses.push(createResponse(random, step));
}

/** The published numbers of a question. The options in none of them are in the merged option, or have no answer. */
function listCells({ options: published }: SurveyRecord['questions'][number]): Cell[] {
  const alone = published.filter(({ optionText }) => optionText !== otherText);
  const rest = new Set(options).difference(new Set(alone.map(({ optionText }) => optionText)));
  const merged = published.find(({ optionText }) => optionText === otherText);
  return [
    ...alone.map(({ optionText, responseCount }) => ({
      options: new Set([optionText]),
      count: responseCount,
    })),
    ...(merged === undefined
      ? [...rest].map((option) => ({ options: new Set([option]), count: 0 }))
      : [{ options: rest, count: merged.responseCount }]),
  ];
}

/** @returns the smallest set of options with this one whose sum both states publish */
function findCommonSet(option: string, cells: readonly Cell[]): Set<string> {
  const common = new Set([option]);
  // The iteration reaches the options that it adds.
  for (const known of common)
    for (const cell of cells.filter((candidate) => candidate.options.has(known)))
      for (const added of cell.options) common.add(added);
  return common;
}

/** @returns the sums of people that both states of a survey publish */
function* listCommonSums(before: SurveyRecord, after: SurveyRecord): Generator<Sum> {
  yield { before: before.totalResponses, after: after.totalResponses };
  for (const question of before.questions) {
    const next = after.questions.find(({ questionText }) => questionText === question.questionText);
    // A question without options publishes nothing.
    if (next === undefined || question.options.length === 0 || next.options.length === 0) continue;
    const [cells, nextCells] = [listCells(question), listCells(next)];
    const sum = (of: readonly Cell[], set: ReadonlySet<string>) =>
      of.filter((cell) => cell.options.isSubsetOf(set)).reduce((total, { count }) => total + count, 0);
    for (const option of options) {
      const set = findCommonSet(option, [...cells, ...nextCells]);
      yield { before: sum(cells, set), after: sum(nextCells, set) };
    }
  }
}

/** @returns sentences on numbers below the threshold that follow from the states */
export function findSmallNumbers(state: SurveyRecord, earlier: readonly SurveyRecord[]): string[] {
  const counts = state.questions.flatMap(({ options: published }) =>
    published.map(({ responseCount }) => responseCount),
  );
  const small = [state.totalResponses, ...counts].filter(isSmall).map((count) => `publishes ${count}`);
  const differences = earlier.flatMap((before) =>
    [...listCommonSums(before, state)]
      .filter((sum) => isSmall(sum.after - sum.before))
      .map((sum) => `publishes ${sum.after} after ${sum.before}`),
  );
  return [...small, ...differences];
}

/** Imports a file of responses. @returns the published survey; undefined: nothing is published */
async function importResponses(
  imports: SurveyImports,
  organizationId: string,
  responses: readonly Response[],
  random: () => number,
  isLast: boolean,
): Promise<SurveyRecord | undefined> {
  const { fixture, folder } = imports;
  const asked = random() < dropProbability ? questions.slice(1) : questions;
  const file = join(folder, random() < renameProbability ? 'renamed.csv' : 'responses.csv');
  writeFileSync(file, toCsv(',', [asked, ...responses.map((row) => asked.map((name) => row[name] ?? ''))]));
  const status = random() < (isLast ? lastCloseProbability : closeProbability) ? 'closed' : 'active';
  await importSurveyFile(imports, organizationId, 'survey-rows', file, [
    ...['--source', 'S', '--title', 'S', '--status', status],
    ...['--questions', asked.join(','), '--threshold', String(threshold)],
  ]);
  const [survey] = await fixture.store.listSurveys(organizationId);
  if (survey === undefined) return undefined;
  const results = await fixture.store.openDataPages.findSurvey(organizationId, survey.id);
  if (random() < hideProbability) await hideSurvey(imports, organizationId, survey.id, random);
  return results;
}

/** The survey becomes a draft, or its source removes it. */
async function hideSurvey(
  imports: SurveyImports,
  organizationId: string,
  surveyId: string,
  random: () => number,
): Promise<void> {
  const file = join(imports.folder, 'hidden.ndjson');
  const draft = { title: 'S', status: 'draft', totalResponses: 1, questions: [] };
  const change = random() < 0.5 ? { deleted: true } : draft;
  writeFileSync(file, JSON.stringify({ kind: 'survey', surveyId, ...change }));
  await importSurveyFile(imports, organizationId, 'rostra', file);
  add(imports.tally, 'hidden');
}

async function runSequence(imports: SurveyImports, seed: number): Promise<void> {
  const { fixture, tally } = imports;
  const random = createSeededRandom(seed);
  const { id } = await fixture.store.addOrganization(`Surveys ${seed}`, formatUuid('e', seed + 1));
  const responses = Array.from({ length: Math.floor(random() * maxFirstResponses) }, () =>
    createResponse(random, 0),
  );
  const steps = minSteps + Math.floor(random() * (maxSteps - minSteps));
  const states: SurveyRecord[] = [];
  for (let step = 0; step < steps; step += 1) {
    const state = await importResponses(imports, id, responses, random, step === steps - 1);
    changeResponses(responses, random, step);
    if (state === undefined || JSON.stringify(state) === JSON.stringify(states.at(-1))) continue;
    for (const problem of findSmallNumbers(state, states)) fail(tally, `seed ${seed}: a state ${problem}`);
    states.push(state);
  }
  add(tally, 'states', states.length);
  add(tally, 'pairs', (states.length * (states.length - 1)) / 2);
}

export const surveySequences: Figure = {
  number: 23,
  promise:
    'From all states of a survey that random sequences of its files publish (repeated, renamed, one response more, one less, a question dropped, a draft in between, closed early, or removed and imported again), no count and no difference of two states is below the threshold.',
  unit: 'sequences',
  fullSize: 10_000,
  minSize: 30,
  batchSize: 10,
  engines: ['sqlite'],
  minutes: 30,
  defect: {
    description: 'an active survey publishes each new response',
    edits: [
      {
        file: 'src/ingest/privacy/disclosure-control/survey-update.ts',
        from: 'newResponses > 0 && newResponses < rule.threshold',
        to: 'newResponses > 0 && newResponses < 0',
      },
    ],
  },
  start: (run) => startSequences(run, runSequence),
  conclude: (tally, done) => {
    const format = (name: string) => formatCount(tally, name);
    return {
      measured: `${formatNumber(done)} sequences with ${format('accepted')} accepted and ${format('rejected')} rejected files, ${format('hidden')} of them drafts and removals: ${format('states')} published states, ${format('pairs')} pairs compared; ${tally.failureCount} small numbers`,
      violations: getCount(tally, 'pairs') === 0 ? ['no survey was published twice'] : [],
    };
  },
};
