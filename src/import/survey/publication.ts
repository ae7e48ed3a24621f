/** What of a counted survey is published, and what is told about it to whoever imports it. */

import { isDeepStrictEqual } from 'node:util';
import type { ImportRecord, SurveyRecord } from '../../store/store.ts';
import { FieldProblem } from '../fields.ts';
import type { FormatReadOptions } from '../format.ts';
import { recordId } from '../identifier.ts';
import { recordOf } from '../records.ts';
import {
  type Folding,
  type FoldingRule,
  foldAlike,
  foldSmall,
  type OptionCount,
  type PublishedCounts,
} from './anonymity.ts';
import { type Arrival, bringForward, CountsProblem } from './steps.ts';

/** A survey as it was counted, and must not be published. */
export interface CountedSurvey {
  surveyId: string;
  title: string;
  status: string;
  /** A function where it is not known: made of the counts, and not of what is published, it could tell what was folded. */
  totalResponses: number | ((published: PublishedQuestions) => number);
  questions: CountedQuestion[];
}

export type PublishedQuestions = SurveyRecord['questions'];

export interface CountedQuestion {
  questionText: string;
  questionType: string;
  /** None: the answers are free text. */
  options: OptionCount[];
  /** The ranking that this is a rank of. */
  ranking?: string;
}

type Tell = (sentence: string) => void;

/** What is published of a survey when it is read. Others may import it meanwhile, so what is made of it says what it follows on. */
export interface Before {
  /** As the store has it; null: there is none. */
  document: string | null;
  survey: SurveyRecord | undefined;
}

export async function publishedBefore(
  { namespace, publishedSurvey }: FormatReadOptions,
  surveyId: string,
): Promise<Before> {
  const document = await publishedSurvey(recordId(namespace, surveyId));
  return { document: document ?? null, survey: document && JSON.parse(document) };
}

/** @throws FieldProblem when it cannot be published */
export function followingRecord(
  survey: CountedSurvey,
  before: Before,
  rule: FoldingRule,
  options: FormatReadOptions,
): ImportRecord {
  const fields = stepSurvey(survey, before.survey, rule, options.onNote);
  return Object.assign(recordOf('survey', { ...fields }, options), { follows: before.document });
}

/** A survey of which nothing is published. */
function foldSurvey(survey: CountedSurvey, rule: FoldingRule, tell: Tell): SurveyRecord {
  const rankings = foldRankings(survey, rule);
  return asPublished(
    survey,
    rule,
    tell,
    (question) => rankings.get(question) ?? foldSmall(question.options, ruleOf(question, rule)),
  );
}

const ruleOf = ({ questionType }: CountedQuestion, rule: FoldingRule): FoldingRule => ({
  ...rule,
  overlapping: questionType === 'multiple_choice',
});

/**
 * The ranks of each ranking. One rank can be computed from the others, so they would have to move together; they are told
 * once, at the end.
 */
function foldRankings(
  { questions, status }: CountedSurvey,
  rule: FoldingRule,
): Map<CountedQuestion, PublishedCounts> {
  const folded = new Map<CountedQuestion, PublishedCounts>();
  for (const [ranking, ranks] of Map.groupBy(questions, (question) => question.ranking)) {
    if (ranking === undefined) continue;
    const held: PublishedCounts = { options: [], folding: { kind: 'held' } };
    const counts = foldAlike(
      ranks.map(({ options }) => options),
      rule,
    );
    for (const [index, rank] of ranks.entries())
      folded.set(rank, status === 'active' ? held : (counts[index] as PublishedCounts));
  }
  return folded;
}

/** @throws FieldProblem for a survey with too few responses */
function asPublished(
  survey: CountedSurvey,
  rule: FoldingRule,
  tell: Tell,
  countsOf: (question: CountedQuestion, index: number) => PublishedCounts,
): SurveyRecord {
  const counts = survey.questions.map(countsOf);
  const questions = survey.questions.map((question, index) =>
    published(question, counts[index]?.options ?? []),
  );
  const total =
    typeof survey.totalResponses === 'number' ? survey.totalResponses : survey.totalResponses(questions);
  if (total < rule.threshold)
    throw new FieldProblem(
      `has fewer than ${rule.threshold} responses, too few to be published: import it again when there are more`,
    );
  for (const [index, question] of survey.questions.entries())
    tellFolding(survey, question, counts[index]?.folding, rule, tell);
  return { ...survey, questions, totalResponses: total };
}

/**
 * A survey after what is published of it.
 *
 * @throws FieldProblem when it cannot be published
 */
function stepSurvey(
  survey: CountedSurvey,
  before: SurveyRecord | undefined,
  rule: FoldingRule,
  tell: Tell,
): SurveyRecord {
  // Who takes all counts as they are has them published elsewhere.
  if (rule.threshold <= 1) return foldSurvey(survey, rule, tell);
  const { totalResponses } = survey;
  const isKnown = typeof totalResponses === 'number';
  if (!isKnown && (before ?? survey).status === 'active')
    throw new FieldProblem(
      'is active, and moves by its number of responses: name totalResponses in the metadata',
    );
  if (before === undefined) return foldSurvey(survey, rule, tell);
  return before.status === 'active' && isKnown
    ? moved(survey, before, totalResponses - before.totalResponses, rule, tell)
    : finished(survey, before, rule, tell);
}

/**
 * The figures of a survey that goes on move in steps of at least the threshold.
 *
 * @param more responses
 * @throws FieldProblem
 */
function moved(
  survey: CountedSurvey,
  before: SurveyRecord,
  more: number,
  rule: FoldingRule,
  tell: Tell,
): SurveyRecord {
  checkQuestions(survey, before);
  if (more < 0) throw new FieldProblem(goneAnswers('there are fewer responses than are published already'));
  if (more > 0 && more < rule.threshold) {
    tell(
      `“${short(survey.title)}” has fewer than ${rule.threshold} responses more than are published: its figures stay as they are.`,
    );
    return unmoved(survey, before);
  }
  const rankings = foldRankings(survey, rule);
  const arrival = { more, final: survey.status !== 'active' };
  return asPublished(
    survey,
    rule,
    tell,
    (question, index) => rankings.get(question) ?? brought(question, before.questions[index], rule, arrival),
  );
}

/** @throws FieldProblem */
function brought(
  question: CountedQuestion,
  before: PublishedQuestions[number] | undefined,
  rule: FoldingRule,
  arrival: Arrival,
): PublishedCounts {
  const options = (before?.options ?? []).map(({ optionText, responseCount }) => ({
    text: optionText,
    count: responseCount,
  }));
  try {
    return bringForward(options, question.options, ruleOf(question, rule), arrival);
  } catch (error) {
    if (!(error instanceof CountsProblem)) throw error;
    throw new FieldProblem(`question “${short(question.questionText)}”: ${goneAnswers(error.message)}`);
  }
}

const unmoved = ({ surveyId, title, status }: CountedSurvey, before: SurveyRecord): SurveyRecord => ({
  ...before,
  surveyId,
  title,
  status,
});

/** After its end a survey keeps its figures, and who sends others is told so. */
function finished(survey: CountedSurvey, before: SurveyRecord, rule: FoldingRule, tell: Tell): SurveyRecord {
  if (survey.status === 'active')
    throw new FieldProblem(`is published as ${before.status}, and cannot become active again`);
  refuseAnother(survey, before, rule);
  const { totalResponses, questions } = foldSurvey(survey, rule, () => undefined);
  const isAlike = totalResponses === before.totalResponses && isDeepStrictEqual(questions, before.questions);
  if (!isAlike)
    tell(`“${short(survey.title)}” is published as ${before.status}: its figures stay as they are.`);
  return unmoved(survey, before);
}

/** @throws FieldProblem where nothing that can be chosen is the same: two surveys came by the same id */
function refuseAnother({ questions }: CountedSurvey, before: SurveyRecord, { otherText }: FoldingRule): void {
  const known = new Set(
    before.questions.flatMap(({ options }) => options.map(({ optionText }) => optionText)),
  );
  const choices = questions.flatMap(({ options }) => options.map(({ text }) => text));
  // What is folded can be any of them.
  if (known.has(otherText)) return;
  if (known.size > 0 && choices.length > 0 && !choices.some((text) => known.has(text)))
    throw new FieldProblem(
      'is another survey than the one that is published under its id: name it with --survey-id, or take the other one away first',
    );
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
      return `too few answers for a threshold of ${threshold}, published without options`;
    case 'waiting':
      return `stays as it is published, as not every option gained nothing or at least ${threshold} answers`;
    case 'held':
      return 'ranks are published when the survey is closed, as they tell about each other';
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
