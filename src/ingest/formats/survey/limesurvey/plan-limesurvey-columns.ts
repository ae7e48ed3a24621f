/** Plans the questions of a LimeSurvey survey: the columns of their answers, and the values of each option. */
import { createTextKey } from '../../../privacy/disclosure-control/plausibility-checks.ts';
import { tickedWords } from '../../survey-responses/answer-words.ts';
import { limeSurveyAnswers } from '../../survey-responses/limesurvey-words.ts';
import type { StructureChoice, StructureQuestion, SurveyStructure } from './limesurvey-structure.ts';

export interface QuestionPlan {
  /** In the structure. */
  code: string;
  questionText: string;
  questionType: string;
  /** Empty for free text. */
  options: OptionPlan[];
}

export interface OptionPlan {
  text: string;
  /** In the form of `createColumnKey`. */
  column: string;
  /** Lower-case values in an export of answer codes; undefined: any value. */
  codes: readonly string[] | undefined;
  /** Lower-case values in an export of full answers. */
  texts: readonly string[];
  /** Whether the export may lack the column. */
  isOptional?: boolean;
}

/**
 * LimeSurvey writes the code of a column as `Q1[SQ001]`, `Q1_SQ001` or `Q1.SQ001.`, optionally with the text of the
 * question after `. `, and with two scales as `Q1[SQ001][1]` or `Q1_SQ001#0`. All spellings have the same key.
 */
export function createColumnKey(header: string): string {
  const [code = ''] = header.split('. ', 1);
  return code
    .trim()
    .replace(/#(\d)$/, (_, scale: string) => `_${Number(scale) + 1}`)
    .replace(/[[\]._\s]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase();
}

const labels = {
  yes: { en: 'Yes', de: 'Ja' },
  no: { en: 'No', de: 'Nein' },
  uncertain: { en: 'Uncertain', de: 'Unsicher' },
  other: { en: 'Other', de: 'Sonstiges' },
  female: { en: 'Female', de: 'Weiblich' },
  male: { en: 'Male', de: 'Männlich' },
  increase: { en: 'Increase', de: 'Zunahme' },
  same: { en: 'Same', de: 'Gleich' },
  decrease: { en: 'Decrease', de: 'Abnahme' },
  rank: { en: 'rank', de: 'Rang' },
};

/** Plans the questions with answers. Other elements of a structure only show a text. */
export function planQuestions({ questions, language }: SurveyStructure): QuestionPlan[] {
  const labelLanguage = language.startsWith('de') ? 'de' : 'en';
  return questions.flatMap((question) => planQuestion({ ...question, language: labelLanguage }));
}

interface LocalizedQuestion extends StructureQuestion {
  /** Of the labels that LimeSurvey adds. */
  language: 'de' | 'en';
}

/**
 * By the letters in LimeSurvey's manual, "Question object types". The types X (text), * (equation), | (file upload) and I
 * (language switch) have no answers to count.
 */
function planQuestion(question: LocalizedQuestion): QuestionPlan[] {
  const { type, answers, language } = question;
  switch (type) {
    case 'L':
    case '!':
    case 'O':
      return planList(question);
    case 'M':
    case 'P':
      return planMultipleChoice(question);
    case 'Y':
      return planSingleColumn(question, 'single_choice', toChoices({ Y: 'yes', N: 'no' }, language));
    case 'G':
      return planSingleColumn(question, 'single_choice', toChoices({ F: 'female', M: 'male' }, language));
    case '5':
      return planSingleColumn(question, 'scale', createNumberChoices(5));
    case 'F':
    case 'H':
      return planMatrix(question, answers);
    case 'A':
      return planMatrix(question, createNumberChoices(5));
    case 'B':
      return planMatrix(question, createNumberChoices(10));
    case 'C':
      return planMatrix(question, toChoices({ Y: 'yes', U: 'uncertain', N: 'no' }, language));
    case 'E':
      return planMatrix(question, toChoices({ I: 'increase', S: 'same', D: 'decrease' }, language));
    case '1':
      return planTwoScales(question);
    case 'R':
      return planRanking(question);
    default:
      return /^[STUQNKD;:]$/.test(type) ? [createPlan(question, 'text', [])] : [];
  }
}

const createPlan = (
  { code, text }: LocalizedQuestion,
  questionType: string,
  options: OptionPlan[],
  suffix = '',
): QuestionPlan => ({ code, questionText: `${text || code}${suffix}`, questionType, options });

const joinCodes = (...codes: (string | number)[]) => codes.join('_').toLowerCase();

const createRowSuffix = ({ text, code }: StructureChoice) => ` – ${text || code}`;

const planSingleColumn = (question: LocalizedQuestion, questionType: string, choices: PlannedChoice[]) => [
  createPlan(question, questionType, planOptions(joinCodes(question.code), choices)),
];

function planList(question: LocalizedQuestion): QuestionPlan[] {
  const column = joinCodes(question.code);
  const options = planOptions(column, question.answers);
  if (question.other)
    options.push({
      text: getOtherText(question),
      column,
      codes: ['-oth-'],
      texts: [
        '-oth-',
        ...[getOtherText(question), ...limeSurveyAnswers.other].map((text) => text.toLowerCase()),
      ],
    });
  return [createPlan(question, 'single_choice', options)];
}

function planMultipleChoice(question: LocalizedQuestion): QuestionPlan[] {
  const options = makeTextsUnique(question.subquestions).map(
    ({ code, text }): OptionPlan => ({
      text,
      column: joinCodes(question.code, code),
      codes: tickedWords,
      texts: tickedWords,
    }),
  );
  if (question.other)
    options.push({
      text: getOtherText(question),
      column: joinCodes(question.code, 'other'),
      codes: undefined,
      texts: [],
      isOptional: true,
    });
  return [createPlan(question, 'multiple_choice', options)];
}

/** An option of the questionnaire may have the text of the option for own answers. */
function getOtherText({ answers, subquestions, otherText, language }: LocalizedQuestion): string {
  const text = otherText || labels.other[language];
  const isTaken = [...answers, ...subquestions].some((choice) => choice.text === text);
  return isTaken ? `${text} (other)` : text;
}

/** @returns a question for each row */
function planMatrix(question: LocalizedQuestion, choices: PlannedChoice[]): QuestionPlan[] {
  return question.subquestions
    .filter(({ scale }) => scale === 0)
    .map((row) => {
      const options = planOptions(joinCodes(question.code, row.code), choices);
      return createPlan(question, 'matrix', options, createRowSuffix(row));
    });
}

function planTwoScales(question: LocalizedQuestion): QuestionPlan[] {
  return question.subquestions.flatMap((row) =>
    [0, 1].map((scale) => {
      const choices = question.answers.filter((answer) => answer.scale === scale);
      const options = planOptions(joinCodes(question.code, row.code, scale + 1), choices);
      return createPlan(question, 'matrix', options, `${createRowSuffix(row)} (${scale + 1})`);
    }),
  );
}

/** @returns a question for each rank. Ranked items are answers, or subquestions in newer structures. */
function planRanking(question: LocalizedQuestion): QuestionPlan[] {
  const items = question.answers.length > 0 ? question.answers : question.subquestions;
  return items.map((_, index) => {
    const rank = index + 1;
    const options = planOptions(joinCodes(question.code, rank), items);
    return createPlan(question, 'ranking', options, ` – ${labels.rank[question.language]} ${rank}`);
  });
}

interface PlannedChoice extends StructureChoice {
  /** Texts in other languages of an export. */
  otherTexts?: readonly string[];
}

const toChoices = (
  answers: Record<string, keyof typeof limeSurveyAnswers>,
  language: 'de' | 'en',
): PlannedChoice[] =>
  Object.entries(answers).map(([code, answer]) => ({
    code,
    text: labels[answer][language],
    scale: 0,
    otherTexts: limeSurveyAnswers[answer],
  }));

const createNumberChoices = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    code: String(index + 1),
    text: String(index + 1),
    scale: 0,
  }));

const planOptions = (column: string, choices: readonly PlannedChoice[]): OptionPlan[] =>
  makeTextsUnique(choices).map(({ code, text }, index) => ({
    text,
    column,
    codes: [code.toLowerCase()],
    // An ambiguous text does not identify an option.
    texts:
      text === choices[index]?.text
        ? [text, ...(choices[index].otherTexts ?? [])].map((word) => word.toLowerCase())
        : [],
  }));

/** Adds the code to texts that occur twice. */
function makeTextsUnique(choices: readonly StructureChoice[]): StructureChoice[] {
  return choices.map((choice) => {
    const same = choices.filter(({ text }) => createTextKey(text) === createTextKey(choice.text));
    const uniqueText = same.length > 1 ? `${choice.text} (${choice.code})` : choice.text;
    return { ...choice, text: choice.text === '' ? choice.code : uniqueText };
  });
}
