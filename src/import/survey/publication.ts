/** What of a counted survey is published, and what is told about it to whoever imports it. */

import type { SurveyRecord } from '../../store/store.ts';
import { FieldProblem } from '../fields.ts';
import {
  bringForward,
  CountsProblem,
  type Folding,
  type FoldingRule,
  foldSmall,
  type OptionCount,
} from './anonymity.ts';

/** A survey as it was counted, and must not be published. */
export interface CountedSurvey {
  surveyId: string;
  title: string;
  status: string;
  totalResponses: number;
  questions: CountedQuestion[];
}

export interface CountedQuestion {
  questionText: string;
  questionType: string;
  /** None: the answers are free text. */
  options: OptionCount[];
}

type Tell = (sentence: string) => void;

/** A survey that is published once, as an aggregated table is. */
export function foldSurvey(survey: CountedSurvey, rule: FoldingRule, tell: Tell): SurveyRecord {
  const questions = survey.questions.map((question) => {
    const { options, folding } = foldSmall(question.options, rule);
    tellFolding(survey, question, folding, rule, tell);
    return published(question, options);
  });
  return { ...survey, questions };
}

/**
 * A survey whose single responses were counted, after what is published of it. The figures move in steps of at least the threshold.
 *
 * @param before as it is published; undefined: it is not
 * @throws FieldProblem when it cannot be published
 */
export function stepSurvey(
  survey: CountedSurvey,
  before: SurveyRecord | undefined,
  rule: FoldingRule,
  tell: Tell,
): SurveyRecord {
  if (survey.totalResponses < rule.threshold) {
    throw new FieldProblem(
      `has fewer than ${rule.threshold} responses, too few to be published: import it again when there are more`,
    );
  }
  if (before === undefined) return foldSurvey(survey, rule, tell);
  const { surveyId, title, status } = survey;
  const unmoved = { ...before, surveyId, title, status };
  if (before.status !== 'active') {
    if (status === 'active')
      throw new FieldProblem(`is published as ${before.status}, and cannot become active again`);
    tell(`“${short(title)}” is published as ${before.status}: its figures stay as they are.`);
    return unmoved;
  }
  checkQuestions(survey, before);
  const more = survey.totalResponses - before.totalResponses;
  if (more < 0) throw new FieldProblem(goneAnswers('there are fewer responses than are published already'));
  if (more > 0 && more < rule.threshold) {
    tell(
      `“${short(title)}” has fewer than ${rule.threshold} responses more than are published: its figures stay as they are.`,
    );
    return unmoved;
  }
  return { ...survey, questions: survey.questions.map((question, index) => brought(question, index)) };

  function brought(question: CountedQuestion, index: number) {
    const options = (before?.questions[index]?.options ?? []).map(({ optionText, responseCount }) => ({
      text: optionText,
      count: responseCount,
    }));
    try {
      const next = bringForward(options, question.options, rule, { more, final: status !== 'active' });
      tellFolding(survey, question, next.folding, rule, tell);
      return published(question, next.options);
    } catch (error) {
      if (!(error instanceof CountsProblem)) throw error;
      throw new FieldProblem(`question “${short(question.questionText)}”: ${goneAnswers(error.message)}`);
    }
  }
}

const goneAnswers = (what: string) =>
  `${what}; the difference could show single answers. Take the survey away first if it has to be replaced`;

/** A question under another text would be a new one, whose small counts the old one gives away. */
function checkQuestions({ questions }: CountedSurvey, before: SurveyRecord): void {
  const same =
    questions.length === before.questions.length &&
    questions.every(({ questionText }, index) => questionText === before.questions[index]?.questionText);
  if (!same)
    throw new FieldProblem(
      'has other questions than are published: count the same columns in the same order, or take the survey away first',
    );
}

const published = ({ questionText, questionType }: CountedQuestion, options: readonly OptionCount[]) => ({
  questionText,
  questionType,
  options: options.map(({ text, count }) => ({ optionText: text, responseCount: count })),
});

/** How many options, and why; never which, nor what is in them. */
function tellFolding(
  { title }: CountedSurvey,
  { questionText }: CountedQuestion,
  folding: Folding | undefined,
  { threshold, otherText }: FoldingRule,
  tell: Tell,
): void {
  if (folding === undefined) return;
  tell(`“${short(title)}”, “${short(questionText)}”: ${foldingText(folding, threshold, otherText)}.`);
}

function foldingText(folding: Folding, threshold: number, otherText: string): string {
  switch (folding.kind) {
    case 'hidden':
      return `fewer than ${threshold} answers, published without options`;
    case 'waiting':
      return `stays as it is published, as not every option gained nothing or at least ${threshold} answers`;
    case 'folded': {
      const { small, others } = folding;
      const rest = others === 0 ? '' : `, and ${others} more so that they cannot be computed`;
      return `${small} ${small === 1 ? 'option' : 'options'} with fewer than ${threshold} answers${rest}, told as “${otherText}”`;
    }
  }
}

/** What distinguishes questions of a matrix stands at their end. */
const short = (text: string) =>
  text.length > 90 ? `${text.slice(0, 50).trimEnd()}…${text.slice(-39)}` : text;
