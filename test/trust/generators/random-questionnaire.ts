/** A questionnaire of a municipality, the people who answer it, and the files that its systems write about their answers. */
import { toCsv, toNdjson } from '../../support/files.ts';

/** The answer of those whom a filter question leaves out. */
export const notAsked = 'Nicht gefragt';

export interface Question {
  id: string;
  text: string;
  options: readonly string[];
  /** Those who did not give this answer are not asked: `notAsked` counts them. */
  filter?: { question: string; answer: string };
  /** The row of an array. */
  row?: string;
}

export interface Person {
  /** Number of the file in which the person occurs first. */
  batch: number;
  district: string;
  answers: Readonly<Record<string, string>>;
}

export interface Questionnaire {
  title: string;
  questions: readonly Question[];
}

type Random = () => number;

export const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

export const districts = ['Nord', 'Süd'];

const subjects = ['Radwege', 'Spielplätze', 'Bibliothek', 'Wochenmarkt', 'Schwimmbad', 'Grünflächen'];
const rows = ['Angebot', 'Sauberkeit', 'Sicherheit', 'Erreichbarkeit'];
const scales = [
  ['gut', 'mittel', 'schlecht'],
  ['oft', 'selten', 'nie'],
  ['sehr wichtig', 'wichtig', 'unwichtig', 'weiß nicht'],
];

/** Questions on one subject, of which a filter question decides who is asked the rows of an array and the question after it. */
export function createQuestionnaire(random: Random): Questionnaire {
  const subject = pick(random, subjects);
  const scale = pick(random, scales);
  const ofFilter = { filter: { question: 'filter', answer: 'Ja' } };
  const matrix = `Wie bewerten Sie ${subject} in Ihrer Stadt`;
  return {
    title: `Befragung ${subject}`,
    questions: [
      { id: 'filter', text: `Nutzen Sie ${subject} in Ihrer Freizeit?`, options: ['Ja', 'Nein'] },
      ...rows.slice(0, 2 + Math.floor(random() * 3)).map((row) => ({
        id: row,
        text: matrix,
        row,
        options: [...scale, notAsked],
        ...ofFilter,
      })),
      {
        id: 'next',
        text: `Wie oft besuchen Sie ${subject} im Jahr?`,
        options: ['viel', 'wenig', notAsked],
        ...ofFilter,
      },
      { id: 'age', text: 'Wie alt sind Sie heute?', options: ['bis 29', '30 bis 59', 'ab 60'] },
      { id: 'plan', text: `Sollen ${subject} ausgebaut werden?`, options: ['Ja', 'Nein', 'egal'] },
    ],
  };
}

/** Options that few people choose, so that counts are small. */
const skew = 0.6;

export function createPerson({ questions }: Questionnaire, random: Random, batch: number): Person {
  const answers: Record<string, string> = {};
  for (const { id, options, filter } of questions) {
    const given = options.filter((option) => option !== notAsked);
    const isAsked = filter === undefined || answers[filter.question] === filter.answer;
    answers[id] = isAsked ? (random() < skew ? (given[0] as string) : pick(random, given)) : notAsked;
  }
  return { batch, district: pick(random, districts), answers };
}

export const wordings = ['exact', 'no question marks', 'codes', 'coded texts', 'titled'] as const;
type Wording = (typeof wordings)[number];

export const fileFormats = ['rostra', 'survey-rows', 'survey-table'] as const;
type FileFormat = (typeof fileFormats)[number];

export interface FilePlan {
  format: FileFormat;
  wording: Wording;
  questions: readonly Question[];
  people: readonly Person[];
  /** Of the own format; the others have options for them. */
  surveyId: string;
  title: string;
  status: string;
}

export const countAnswers = ({ id, options }: Question, people: readonly Person[]): number[] =>
  options.map((option) => people.filter(({ answers }) => answers[id] === option).length);

function writeText({ text, row }: Question, number: number, wording: Wording, title: string): string {
  const plain = wording === 'no question marks' ? text.replace('?', '') : text;
  const whole = row === undefined ? plain : `${plain} [${row}]`;
  if (wording === 'codes') return `Q${number}`;
  if (wording === 'coded texts') return `Q${number}. ${whole}`;
  return wording === 'titled' ? `${title}: ${whole}` : whole;
}

/** @returns the content of the file. The questions of a table have the same options */
export function writeSurveyFile(plan: FilePlan): string {
  const { format, questions, people, surveyId, title, status, wording } = plan;
  const texts = questions.map((question, index) => writeText(question, index + 1, wording, title));
  if (format === 'rostra') {
    const counted = questions.map((question, index) => ({
      questionText: texts[index],
      questionType: question.row === undefined ? 'single_choice' : 'matrix',
      options: question.options.map((optionText, option) => ({
        optionText,
        responseCount: countAnswers(question, people)[option],
      })),
    }));
    return toNdjson([
      { kind: 'survey', surveyId, title, status, totalResponses: people.length, questions: counted },
    ]);
  }
  if (format === 'survey-rows')
    return toCsv(',', [
      ['id', 'submitdate', ...texts],
      ...people.map(({ answers }, index) => [
        String(index + 1),
        '2026-01-01 10:00:00',
        ...questions.map(({ id }) => answers[id] as string),
      ]),
    ]);
  const [{ options } = { options: [] }] = questions;
  return toCsv(',', [
    ['Frage', ...options, 'totalResponses'],
    ...questions.map((question, index) => [
      texts[index] as string,
      ...countAnswers(question, people).map(String),
      String(people.length),
    ]),
  ]);
}
