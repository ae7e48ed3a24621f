/** Which columns of LimeSurvey's responses answer which question, and what stands in them. */

import { createTextKey } from '../../disclosure-control/plausibility-checks.ts';
import type { StructureChoice, StructureQuestion, SurveyStructure } from './limesurvey-structure.ts';

/** A question to be published, and where its answers are. */
export interface QuestionPlan {
  /** Of the questionnaire. */
  code: string;
  questionText: string;
  questionType: string;
  /** None: free text. */
  options: OptionPlan[];
}

export interface OptionPlan {
  text: string;
  /** As `columnKey` gives it. */
  column: string;
  /** What stands in the column for it, in lower case, in an export of codes; undefined: whatever is not empty. */
  codes: readonly string[] | undefined;
  /** The same in an export of whole answers. */
  answers: readonly string[];
  /** Whether the export may lack the column. */
  optional?: boolean;
}

export const ticked = ['y', 'yes', 'ja', 'j', 'oui', 'x', '1', 'true'];
export const unticked = ['', 'n', 'no', 'nein', 'non', '0', 'false', 'n/a'];

/**
 * The code of a column whatever way LimeSurvey wrote it: `Q1[SQ001]`, `Q1_SQ001`, `Q1.SQ001.`, each with the
 * question's text behind `. ` or without; of two scales `Q1[SQ001][1]` or `Q1_SQ001#0`.
 */
export function columnKey(header: string): string {
  const [code = ''] = header.split('. ', 1);
  return code
    .trim()
    .replace(/#(\d)$/, (_, scale: string) => `_${Number(scale) + 1}`)
    .replace(/[[\]._\s]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase();
}

const words = {
  en: {
    yes: 'Yes',
    no: 'No',
    uncertain: 'Uncertain',
    other: 'Other',
    female: 'Female',
    male: 'Male',
    up: 'Increase',
    same: 'Same',
    down: 'Decrease',
    rank: 'rank',
  },
  de: {
    yes: 'Ja',
    no: 'Nein',
    uncertain: 'Unsicher',
    other: 'Sonstiges',
    female: 'Weiblich',
    male: 'Männlich',
    up: 'Zunahme',
    same: 'Gleich',
    down: 'Abnahme',
    rank: 'Rang',
  },
};

/** The questions of a questionnaire that have answers; those that only show something have none. */
export function planOf({ questions, language }: SurveyStructure): QuestionPlan[] {
  const texts = language.startsWith('de') ? words.de : words.en;
  return questions.flatMap((question) => byType.get(question.type)?.({ ...question, texts }) ?? []);
}

interface Asked extends StructureQuestion {
  texts: typeof words.en;
}

/**
 * Letters of the manual, "Question object types". X shows a text, * computes, | takes files, and I is the language of the
 * page: they ask nothing.
 */
const byType = new Map<string, (asked: Asked) => QuestionPlan[]>(
  Object.entries({
    L: fromList,
    '!': fromList,
    O: fromList,
    M: severalChoices,
    P: severalChoices,
    Y: (asked: Asked) =>
      oneOf(asked, 'single_choice', [fixed('Y', asked.texts.yes), fixed('N', asked.texts.no)]),
    G: (asked: Asked) =>
      oneOf(asked, 'single_choice', [fixed('F', asked.texts.female), fixed('M', asked.texts.male)]),
    5: (asked: Asked) => oneOf(asked, 'scale', numbered(5)),
    F: (asked: Asked) => matrix(asked, asked.answers),
    H: (asked: Asked) => matrix(asked, asked.answers),
    A: (asked: Asked) => matrix(asked, numbered(5)),
    B: (asked: Asked) => matrix(asked, numbered(10)),
    C: (asked: Asked) => {
      const { yes, uncertain, no } = asked.texts;
      return matrix(asked, [fixed('Y', yes), fixed('U', uncertain), fixed('N', no)]);
    },
    E: (asked: Asked) => {
      const { up, same, down } = asked.texts;
      return matrix(asked, [fixed('I', up), fixed('S', same), fixed('D', down)]);
    },
    1: twoScales,
    R: ranking,
    ...Object.fromEntries([...'STUQNKD;:'].map((letter) => [letter, freeText])),
  }),
);

function plan({ code, text }: Asked, questionType: string, options: OptionPlan[], behind = ''): QuestionPlan {
  return { code, questionText: `${text || code}${behind}`, questionType, options };
}

const columnOf = ({ code }: StructureQuestion, ...parts: (string | number)[]) =>
  [code, ...parts].join('_').toLowerCase();

const behind = ({ text, code }: StructureChoice) => ` – ${text || code}`;

/** An answer of the list may be called as those of one's own are; published alike they could not be told apart. */
function ownText({ answers, subquestions, texts }: Asked): string {
  const isTaken = [...answers, ...subquestions].some((choice) => choice.text === texts.other);
  return isTaken ? `${texts.other} (other)` : texts.other;
}

const oneOf = (asked: Asked, questionType: string, choices: StructureChoice[]) => [
  plan(asked, questionType, choicesIn(columnOf(asked), choices)),
];

function fromList(asked: Asked): QuestionPlan[] {
  const column = columnOf(asked);
  const own = { text: ownText(asked), column, codes: ['-oth-'], answers: ['-oth-', 'other', 'sonstiges'] };
  return [plan(asked, 'single_choice', [...choicesIn(column, asked.answers), ...(asked.other ? [own] : [])])];
}

function severalChoices(asked: Asked): QuestionPlan[] {
  const options = distinct(asked.subquestions).map(
    (sub): OptionPlan => ({
      text: sub.text,
      column: columnOf(asked, sub.code),
      codes: ticked,
      answers: ticked,
    }),
  );
  const own: OptionPlan = {
    text: ownText(asked),
    column: columnOf(asked, 'other'),
    codes: undefined,
    answers: [],
    optional: true,
  };
  return [plan(asked, 'multiple_choice', [...options, ...(asked.other ? [own] : [])])];
}

/** A question for each row. */
function matrix(asked: Asked, choices: StructureChoice[]): QuestionPlan[] {
  return asked.subquestions
    .filter(({ scale }) => scale === 0)
    .map((sub) => plan(asked, 'matrix', choicesIn(columnOf(asked, sub.code), choices), behind(sub)));
}

function twoScales(asked: Asked): QuestionPlan[] {
  const answersOf = (scale: number) => asked.answers.filter((answer) => answer.scale === scale);
  return asked.subquestions.flatMap((sub) =>
    [0, 1].map((scale) => {
      const options = choicesIn(columnOf(asked, sub.code, scale + 1), answersOf(scale));
      return plan(asked, 'matrix', options, `${behind(sub)} (${scale + 1})`);
    }),
  );
}

/** A question for each rank. Structures have what is ranked as answers, or, newer ones, as subquestions. */
function ranking(asked: Asked): QuestionPlan[] {
  const ranked = asked.answers.length > 0 ? asked.answers : asked.subquestions;
  return ranked.map((_, index) => {
    const rank = index + 1;
    const options = choicesIn(columnOf(asked, rank), ranked);
    return plan(asked, 'ranking', options, ` – ${asked.texts.rank} ${rank}`);
  });
}

function freeText(asked: Asked): QuestionPlan[] {
  return [plan(asked, 'text', [])];
}

const fixed = (code: string, text: string): StructureChoice => ({ code, text, scale: 0 });

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => fixed(String(index + 1), String(index + 1)));

const choicesIn = (column: string, choices: readonly StructureChoice[]): OptionPlan[] =>
  distinct(choices).map(({ code, text }, index) => ({
    text,
    column,
    codes: [code.toLowerCase()],
    // Of answers that are called alike nobody can tell which it was.
    answers: text === choices[index]?.text ? [text.toLowerCase()] : [],
  }));

/** Options that are called alike are told apart by their codes. */
function distinct(choices: readonly StructureChoice[]): StructureChoice[] {
  return choices.map((choice) => {
    const alike = choices.filter(({ text }) => createTextKey(text) === createTextKey(choice.text)).length > 1;
    const text = choice.text === '' ? choice.code : alike ? `${choice.text} (${choice.code})` : choice.text;
    return { ...choice, text };
  });
}
