/** The results of a survey in parts, because a survey may be too large to be read, parsed or written at once. */

/** A question follows its survey, and an option its question. */
export interface SurveyPart {
  level: 'survey' | 'question' | 'option';
  /** As the API publishes it, without the list of its parts. */
  document: string;
}

type Level = SurveyPart['level'];

/** Completes the JSON of a survey after each part. */
export const surveyClosings: Readonly<Record<Level, string>> = {
  survey: ']}',
  question: ']}]}',
  option: ']}]}',
};

/** Between a part and the next one of the same survey. */
const separators: Readonly<Record<Level, Partial<Record<Level, string>>>> = {
  survey: { question: '' },
  question: { question: ']},', option: '' },
  option: { question: ']},', option: ',' },
};

const listNames: Readonly<Record<Level, string | undefined>> = {
  survey: 'questions',
  question: 'options',
  option: undefined,
};

/** @param previous undefined: the part is the first one of its survey @returns the JSON of the part after the previous one */
export function joinSurveyPart({ level, document }: SurveyPart, previous: Level | undefined): string {
  const separator = previous === undefined ? '' : separators[previous][level];
  const list = listNames[level];
  return separator + (list === undefined ? document : `${document.slice(0, -1)},"${list}":[`);
}
