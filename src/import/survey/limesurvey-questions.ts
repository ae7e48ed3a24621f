/** Which columns of LimeSurvey's responses answer which question, and what stands in them. */
import type { StructureChoice, StructureQuestion, SurveyStructure } from './limesurvey-structure.ts';

/** A question to be published, and where its answers are. */
export interface QuestionPlan {
  /** Of the questionnaire. */
  code: string;
  questionText: string;
  questionType: string;
  /** None: free text. */
  options: OptionPlan[];
  /** Of a rank: the code of its ranking. */
  ranking?: string;
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
  return questions.flatMap((question) => planned(question, texts));
}

/** Letters of the manual, "Question object types". */
function planned(question: StructureQuestion, texts: typeof words.en): QuestionPlan[] {
  const { code, text, type, answers, subquestions, other } = question;
  const column = code.toLowerCase();
  // An answer of the list may be called as those of one's own are; published alike they could not be told apart.
  const ownText = [...answers, ...subquestions].some((choice) => choice.text === texts.other)
    ? `${texts.other} (other)`
    : texts.other;
  const plan = (questionType: string, options: OptionPlan[], behind = ''): QuestionPlan => ({
    code,
    questionText: `${text || code}${behind}`,
    questionType,
    options,
  });
  const matrix = (choices: StructureChoice[], questionType = 'matrix') =>
    subquestions
      .filter(({ scale }) => scale === 0)
      .map((sub) =>
        plan(
          questionType,
          choicesIn(`${column}_${sub.code.toLowerCase()}`, choices),
          ` – ${sub.text || sub.code}`,
        ),
      );
  switch (type) {
    case 'L':
    case '!':
    case 'O': {
      const own = other
        ? [{ text: ownText, column, codes: ['-oth-'], answers: ['-oth-', 'other', 'sonstiges'] }]
        : [];
      return [plan('single_choice', [...choicesIn(column, answers), ...own])];
    }
    case 'M':
    case 'P':
      return [
        plan('multiple_choice', [
          ...distinct(subquestions).map((sub) => ({
            text: sub.text,
            column: `${column}_${sub.code.toLowerCase()}`,
            codes: ticked,
            answers: ticked,
          })),
          ...(other
            ? [
                {
                  text: ownText,
                  column: `${column}_other`,
                  codes: undefined,
                  answers: [],
                  optional: true,
                },
              ]
            : []),
        ]),
      ];
    case 'Y':
      return [plan('single_choice', choicesIn(column, [fixed('Y', texts.yes), fixed('N', texts.no)]))];
    case 'G':
      return [plan('single_choice', choicesIn(column, [fixed('F', texts.female), fixed('M', texts.male)]))];
    case '5':
      return [plan('scale', choicesIn(column, numbered(5)))];
    case 'F':
    case 'H':
      return matrix(answers);
    case 'A':
      return matrix(numbered(5));
    case 'B':
      return matrix(numbered(10));
    case 'C':
      return matrix([fixed('Y', texts.yes), fixed('U', texts.uncertain), fixed('N', texts.no)]);
    case 'E':
      return matrix([fixed('I', texts.up), fixed('S', texts.same), fixed('D', texts.down)]);
    case '1':
      return subquestions.flatMap((sub) =>
        [0, 1].map((scale) =>
          plan(
            'matrix',
            choicesIn(
              `${column}_${sub.code.toLowerCase()}_${scale + 1}`,
              answers.filter((answer) => answer.scale === scale),
            ),
            ` – ${sub.text || sub.code} (${scale + 1})`,
          ),
        ),
      );
    case 'R': {
      // Structures have what is ranked as answers, or, newer ones, as subquestions.
      const ranked = answers.length > 0 ? answers : subquestions;
      return ranked.map((_, rank) => ({
        ...plan('ranking', choicesIn(`${column}_${rank + 1}`, ranked), ` – ${texts.rank} ${rank + 1}`),
        ranking: code,
      }));
    }
    case 'S':
    case 'T':
    case 'U':
    case 'Q':
    case 'N':
    case 'K':
    case 'D':
    case ';':
    case ':':
      return [plan('text', [])];
    default:
      // X shows a text, * computes, | takes files, I is the language of the page.
      return [];
  }
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
    const alike = choices.filter(({ text }) => text === choice.text).length > 1;
    const text = choice.text === '' ? choice.code : alike ? `${choice.text} (${choice.code})` : choice.text;
    return { ...choice, text };
  });
}
