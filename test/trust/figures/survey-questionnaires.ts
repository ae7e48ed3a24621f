import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isOtherAnswers } from '../../../src/domain/organizations/placeholder-words.ts';
import type { SurveyRecord } from '../../../src/domain/records/records.ts';
import { createSeededRandom, formatUuid } from '../../support/records.ts';
import type { Figure } from '../figure.ts';
import { findSmallSets, type PeopleSet, type PublishedSet } from '../generators/published-sets.ts';
import {
  createPerson,
  createQuestionnaire,
  districts,
  type FilePlan,
  fileFormats,
  notAsked,
  type Person,
  pick,
  type Question,
  type Questionnaire,
  wordings,
  writeSurveyFile,
} from '../generators/random-questionnaire.ts';
import { importSurveyFile, type SurveyImports, startSequences } from '../survey-imports.ts';
import { add, fail, formatCount, formatNumber, getCount } from '../tally.ts';

const threshold = 3;
const minSteps = 2;
const maxSteps = 6;
const maxFirstPeople = 40;
const fewPeople = 8;
const manyPeople = 30;
/** Closed surveys never change, so they are fewer. */
const statuses = ['active', 'active', 'closed'];
const breakdownProbability = 0.25;
const partProbability = 0.25;
const otherSourceProbability = 0.4;
const otherIdProbability = 0.4;
const oneTitleProbability = 0.5;
/** Of a file like the first ones, with all answers so far. */
const usualProbability = 0.5;

/** A file, as the municipality describes it: whom it counts, and what it asks. */
interface Edition {
  questions: readonly Question[];
  people: readonly Person[];
  /** Names of the parts of the population. */
  parts: readonly string[];
}

const toPart = ({ batch, district }: Pick<Person, 'batch' | 'district'>) => `${batch} ${district}`;

/** How a file is written and imported. */
interface Habit extends Pick<FilePlan, 'format' | 'wording' | 'surveyId' | 'title'> {
  source: string;
  /** A table has the questions with these options. */
  tableOptions: readonly string[];
}

function createHabit({ title, questions }: Questionnaire, hasOneTitle: boolean, random: () => number): Habit {
  // Under another title, only the texts of its questions relate a survey to the others, and a table has few questions.
  const formats = hasOneTitle ? fileFormats : fileFormats.filter((format) => format !== 'survey-table');
  const otherTitles = hasOneTitle ? [] : [`${title} – Auswertung`, 'Leben in unserer Stadt'];
  return {
    format: pick(random, formats),
    wording: pick(random, hasOneTitle ? wordings : wordings.filter((each) => each !== 'codes')),
    surveyId: random() < otherIdProbability ? 'second' : 'first',
    title: pick(random, [title, ...otherTitles]),
    source: random() < otherSourceProbability ? 'Second' : 'First',
    tableOptions: pick(random, questions).options,
  };
}

/** @returns the questions that a file of this format can have */
const listQuestions = ({ questions }: Questionnaire, { format, tableOptions }: Habit) =>
  questions.filter(({ options }) => format !== 'survey-table' || isDeepStrictEqual(options, tableOptions));

/** Imports a file with a random status. @returns the published surveys afterwards */
async function importEdition(
  imports: SurveyImports,
  organizationId: string,
  { source, tableOptions: _, ...habit }: Habit,
  { questions, people }: Edition,
  random: () => number,
): Promise<Map<string, SurveyRecord>> {
  const { fixture, folder } = imports;
  const { format, surveyId, title } = habit;
  const status = pick(random, [...statuses, ...(format === 'rostra' ? ['draft'] : [])]);
  const file = join(folder, format === 'rostra' ? 'survey.ndjson' : 'survey.csv');
  writeFileSync(file, writeSurveyFile({ ...habit, questions, people, status }));
  await importSurveyFile(imports, organizationId, format, file, [
    ...['--source', source, '--beside', '--threshold', String(threshold)],
    ...(format === 'rostra' ? [] : ['--survey-id', surveyId, '--title', title, '--status', status]),
  ]);
  const surveys = new Map<string, SurveyRecord>();
  for (const { id } of await fixture.store.listSurveys(organizationId)) {
    const survey = await fixture.store.openDataPages.findSurvey(organizationId, id);
    if (survey !== undefined) surveys.set(id, survey);
  }
  return surveys;
}

const choose = (options: readonly string[], parts: readonly string[]): PeopleSet =>
  new Set(options.flatMap((option) => parts.map((part) => `${option} of ${part}`)));

const countPeople = (
  question: Question,
  options: readonly string[],
  parts: readonly string[],
  all: readonly Person[],
) =>
  all.filter(
    (person) => parts.includes(toPart(person)) && options.includes(person.answers[question.id] as string),
  ).length;

/**
 * The numbers of a published question. A question may keep counts of an earlier file, so each number is that of the latest
 * file whose people it counts.
 */
function* listSets(
  question: Question,
  published: SurveyRecord['questions'][number],
  editions: readonly Edition[],
  all: readonly Person[],
): Generator<PublishedSet> {
  const named = published.options.map(({ optionText }) => optionText).filter((text) => !isOtherAnswers(text));
  for (const { optionText, responseCount } of published.options) {
    const options = isOtherAnswers(optionText)
      ? question.options.filter((option) => !named.includes(option))
      : [optionText];
    const edition = editions.findLast(
      ({ parts }) => countPeople(question, options, parts, all) === responseCount,
    );
    if (edition === undefined) continue;
    yield { question: question.id, people: choose(options, edition.parts), count: responseCount };
  }
}

/** Everybody in the files, and those who were not asked a question: a filter question or another row also counts them. */
function* listKnownSets(
  { questions }: Questionnaire,
  published: readonly PublishedSet[],
  totals: readonly Pick<Edition, 'people' | 'parts'>[],
): Generator<PublishedSet> {
  for (const question of questions) {
    for (const { parts, people } of totals)
      yield { question: question.id, people: choose(question.options, parts), count: people.length };
    if (question.filter === undefined) continue;
    for (const { question: of, people, count } of published) {
      const isFilter = of === question.filter.question;
      const leftOut = isFilter ? 'Nein' : notAsked;
      const items = [...people];
      if (!items.every((item) => item.startsWith(`${leftOut} of `))) continue;
      if (!isFilter && of === question.id) continue;
      const translated = items.map((item) => item.replace(leftOut, notAsked));
      yield { question: question.id, people: new Set(translated), count };
    }
  }
}

/** All answers so far to these questions. */
function createEdition(
  questions: readonly Question[],
  named: readonly string[],
  all: readonly Person[],
  step: number,
): Edition {
  const batches = Array.from({ length: step + 1 }, (_, batch) => batch);
  const parts = batches.flatMap((batch) => named.map((district) => toPart({ batch, district })));
  return { questions, parts, people: all.filter((person) => parts.includes(toPart(person))) };
}

/** @param hasOneTitle whether a part needs no question that is in other parts, too */
function createRandomEdition(
  questions: readonly Question[],
  all: readonly Person[],
  step: number,
  hasOneTitle: boolean,
  random: () => number,
): Edition {
  const named = random() < breakdownProbability ? [pick(random, districts)] : districts;
  const half = Math.ceil(questions.length / 2);
  const first = Math.floor(random() * questions.length);
  const any = questions.slice(first, first + Math.ceil(random() * half));
  const halves = [questions.slice(0, half + 1), questions.slice(half - 1)];
  const isPart = random() < partProbability;
  const asked = isPart ? pick(random, hasOneTitle ? [any, ...halves] : halves) : questions;
  return createEdition(asked, named, all, step);
}

/** Whether the people are more than everybody of some parts: that few people of a part have responded says nothing about their answers. */
function hasAnswers(question: Question, people: PeopleSet, all: readonly Person[]): boolean {
  const parts = new Set([...people].map((item) => item.slice(item.indexOf(' of ') + 4)));
  return [...parts].some((part) => {
    const chosen = question.options.filter((option) => people.has(`${option} of ${part}`));
    return chosen.length < question.options.length && countPeople(question, chosen, [part], all) > 0;
  });
}

async function runSequence(imports: SurveyImports, seed: number): Promise<void> {
  const { fixture, tally } = imports;
  const random = createSeededRandom(seed);
  const { id: town } = await fixture.store.addOrganization(
    `Questionnaires ${seed}`,
    formatUuid('d', seed + 1),
  );
  const questionnaire = createQuestionnaire(random);
  const all: Person[] = [];
  const addPeople = (batch: number, count: number) => {
    for (let n = 0; n < count; n += 1) all.push(createPerson(questionnaire, random, batch));
  };
  addPeople(0, Math.ceil(random() * maxFirstPeople));
  const hasOneTitle = random() < oneTitleProbability;
  const usual = createHabit(questionnaire, hasOneTitle, random);
  const states = new Map<string, string>();
  const editionsOf = new Map<string, Edition[]>();
  const published: PublishedSet[] = [];
  const totals: Edition[] = [];
  const steps = minSteps + Math.floor(random() * (maxSteps - minSteps));
  for (let step = 0; step < steps; step += 1) {
    if (step > 0)
      addPeople(
        step,
        pick(random, [0, 1, Math.ceil(random() * fewPeople), Math.ceil(random() * manyPeople)]),
      );
    const isUsual = random() < usualProbability;
    const habit = isUsual ? usual : createHabit(questionnaire, hasOneTitle, random);
    const questions = listQuestions(questionnaire, habit);
    const edition = isUsual
      ? createEdition(questions, districts, all, step)
      : createRandomEdition(questions, all, step, hasOneTitle, random);
    const surveys = await importEdition(imports, town, habit, edition, random);
    for (const [id, survey] of surveys) {
      const state = JSON.stringify([survey.totalResponses, survey.questions]);
      if (states.get(id) === state) continue;
      states.set(id, state);
      add(tally, 'states');
      add(tally, habit.format);
      const editions = [...(editionsOf.get(id) ?? []), edition];
      editionsOf.set(id, editions);
      const total = editions.findLast(({ people }) => people.length === survey.totalResponses);
      if (total !== undefined) totals.push(total);
      for (const [index, shown] of survey.questions.entries()) {
        const question = editions.at(-1)?.questions[index];
        if (question !== undefined) published.push(...listSets(question, shown, editions, all));
        const given = shown.options.filter(({ responseCount }) => responseCount > 0);
        if (given.length === 1 && !isOtherAnswers(given[0]?.optionText ?? ''))
          fail(tally, `seed ${seed}: a question has one answer of everybody`);
      }
    }
  }
  const known = [...published, ...listKnownSets(questionnaire, published, totals)];
  add(tally, 'numbers', known.length);
  for (const { question, people, count } of findSmallSets(known, threshold)) {
    const asked = questionnaire.questions.find(({ id }) => id === question) as Question;
    if (hasAnswers(asked, people, all))
      fail(tally, `seed ${seed}: ${count} of “${question}” follows: ${[...people].join(', ')}`);
  }
}

export const surveyQuestionnaires: Figure = {
  number: 30,
  promise:
    'From everything that was ever published of a questionnaire with an array and a filter question (random sequences of files in every format, under other ids, titles, sources and wordings, of districts and of parts of the questions, with drafts between), no number of people below the threshold follows.',
  unit: 'questionnaires',
  fullSize: 10_000,
  minSize: 30,
  batchSize: 10,
  engines: ['sqlite'],
  minutes: 30,
  defect: {
    description: 'a survey is published beside another one that asks the same questions',
    edits: [
      {
        file: 'src/ingest/privacy/disclosure-control/protect-survey.ts',
        from: 'if (first !== undefined && decision === undefined)',
        to: 'if (first === null)',
      },
    ],
  },
  start: (run) => startSequences(run, runSequence),
  conclude: (tally, done) => {
    const format = (name: string) => formatCount(tally, name);
    return {
      measured: `${formatNumber(done)} questionnaires with ${format('accepted')} accepted and ${format('rejected')} rejected files: ${format('states')} published states, ${format('numbers')} known numbers; ${tally.failureCount} small ones follow`,
      violations: fileFormats
        .filter((name) => getCount(tally, name) === 0)
        .map((name) => `no survey was published in the format ${name}`),
    };
  },
};
