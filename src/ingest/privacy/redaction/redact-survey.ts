/**
 * Redacts the texts of a survey before the disclosure control compares them with published ones. Therefore it redacts the
 * published ones for this comparison, too: texts that an earlier import published are replaced with the next one.
 */
import { isOtherAnswers, translatePlaceholders } from '../../../domain/organizations/placeholder-words.ts';
import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import type { SurveyRecord } from '../../../domain/records/records.ts';
import type { AskedSurvey, ReleasedSurveyStore } from '../../../domain/store.ts';
import type { CountedQuestion, CountedSurvey, OptionCount } from '../../records/counted-survey.ts';
import { hasSeveralRows, isFinal } from '../disclosure-control/first-survey-release.ts';
import { createTextKey, isMultipleChoice } from '../disclosure-control/plausibility-checks.ts';
import type { Redactor } from './create-redactor.ts';
import type { RedactedText } from './custom-pattern-redactor.ts';

/** By the text before. */
type RedactedTexts = ReadonlyMap<string, RedactedText>;

type RedactTexts = Pick<Redactor, 'redactTexts' | 'names' | 'language'>;

interface RedactedSurvey {
  survey: CountedSurvey;
  /** Names of what was replaced, by the text after it. */
  replaced: ReadonlyMap<string, readonly string[]>;
  /** Options that are sums of several, by their keys. */
  merged: ReadonlyMap<string, MergedOption>;
}

interface MergedOption {
  options: number;
  /** Why it is rejected where its parts must not be added. */
  problem: Reason;
}

type ReleasedSurvey = NonNullable<Awaited<ReturnType<ReleasedSurveyStore['findReleasedSurvey']>>>;

/** A published survey with its texts after redaction. */
interface RedactedReleasedSurvey extends ReleasedSurvey {
  /** Published options by their keys after a redaction that changed them, in questions with combined small counts. */
  changedOptions: ReadonlyMap<string, number>;
}

interface RedactedSurveyStore extends ReleasedSurveyStore {
  findReleasedSurvey(organizationId: string, id: string): Promise<RedactedReleasedSurvey | undefined>;
}

/** @throws InvalidFieldError if options cannot be distinguished any more @throws the reason of an abort */
export async function redactSurvey(
  survey: CountedSurvey,
  redactor: RedactTexts,
  signal: AbortSignal,
): Promise<RedactedSurvey> {
  if (redactor.names.length === 0) return { survey, replaced: new Map(), merged: new Map() };
  const { identity } = survey;
  const wordings = identity?.otherWordings ?? [];
  const texts = await redactAll([...listTexts(survey), ...wordings.flat()], redactor, signal);
  const redact = (text: string) => texts.get(text)?.text ?? text;
  const merged = new Map<string, MergedOption>();
  const questions = survey.questions.map((question, index) => ({
    ...question,
    questionText: redact(question.questionText),
    questionType: redact(question.questionType),
    options: mergeAlikeOptions(question, index, survey, { texts, merged }),
  }));
  return {
    survey: {
      ...survey,
      title: redact(survey.title),
      status: redact(survey.status),
      questions,
      ...(identity && { identity: { ...identity, otherWordings: wordings.map((each) => each.map(redact)) } }),
    },
    replaced: new Map([...texts.values()].map(({ text, replaced }) => [text, replaced])),
    merged,
  };
}

/** Names of what was replaced in the published texts of a survey. */
export const listReplaced = (
  { title, status, questions }: SurveyRecord,
  replaced: RedactedSurvey['replaced'],
): string[] =>
  [
    ...[title, status],
    ...questions.flatMap(({ questionText, questionType, options }) => [
      ...[questionText, questionType],
      ...options.map(({ optionText }) => optionText),
    ]),
  ].flatMap((text) => replaced.get(text) ?? []);

const listTexts = ({ title, status, questions }: CountedSurvey): string[] => [
  ...[title, status],
  ...questions.flatMap(({ questionText, questionType, options }) => [
    ...[questionText, questionType],
    ...options.map(({ text }) => text),
  ]),
];

async function redactAll(
  texts: readonly string[],
  redactor: RedactTexts,
  signal: AbortSignal,
): Promise<RedactedTexts> {
  const unique = [...new Set(texts)];
  const redacted = await redactor.redactTexts(
    unique.map((text) => text.normalize('NFC')),
    signal,
  );
  return new Map(unique.map((text, index) => [text, redacted[index] as RedactedText]));
}

/**
 * Adds the counts of options that are alike after redaction: each was a different person's answer.
 *
 * @throws InvalidFieldError if a person may have chosen several of them, or if they may belong to several questions
 */
function mergeAlikeOptions(
  question: CountedQuestion,
  index: number,
  survey: CountedSurvey,
  { texts, merged }: { texts: RedactedTexts; merged: Map<string, MergedOption> },
): OptionCount[] {
  const options = new Map<string, OptionCount & { number: number; isReplaced: boolean }>();
  const others: OptionCount[] = [];
  for (const [position, { text: before, count }] of question.options.entries()) {
    const { text, replaced } = texts.get(before) as RedactedText;
    const key = createTextKey(text);
    const isReplaced = replaced.length > 0;
    const same = options.get(key);
    if (same === undefined) options.set(key, { text, count, number: position + 1, isReplaced });
    // The source itself repeats an option, which the plausibility check rejects.
    else if (!same.isReplaced && !isReplaced) others.push({ text, count });
    else {
      const numbers = { question: index + 1, first: same.number, second: position + 1 };
      const problem: Reason = { code: 'options-alike-after-redaction', ...numbers };
      if (!canAddCounts(question, survey, same.count + count)) throw new InvalidFieldError(problem);
      same.count += count;
      same.isReplaced = true;
      merged.set(key, { options: (merged.get(key)?.options ?? 1) + 1, problem });
    }
  }
  return [...options.values(), ...others].map(({ text, count }) => ({ text, count }));
}

const canAddCounts = (question: CountedQuestion, survey: CountedSurvey, sum: number): boolean =>
  isMultipleChoice(question)
    ? typeof survey.totalResponses === 'number' && sum <= survey.totalResponses
    : !hasSeveralRows(question, survey);

/** The published surveys with the texts that the present redaction would have given them. */
export function createRedactedSurveyStore(
  store: ReleasedSurveyStore,
  redactor: RedactTexts,
  signal: AbortSignal,
): RedactedSurveyStore {
  const redact = async (texts: readonly string[]) => {
    const redacted = await redactor.redactTexts(texts, signal);
    return redacted.map(({ text }) => translatePlaceholders(text, redactor.language));
  };
  const redactQuestions = async (questions: AskedSurvey['questions']) => {
    const texts = await redact(questions.map(({ questionText }) => questionText));
    return questions.map((question, index) => ({ ...question, questionText: texts[index] as string }));
  };
  const listSurveyQuestions: ReleasedSurveyStore['listSurveyQuestions'] = async (organizationId) =>
    Promise.all(
      (await store.listSurveyQuestions(organizationId)).map(async (survey) =>
        redactor.names.length === 0
          ? survey
          : { ...survey, questions: await redactQuestions(survey.questions) },
      ),
    );
  return {
    ...store,
    findReleasedSurvey: async (organizationId, id) => {
      const released = await store.findReleasedSurvey(organizationId, id);
      if (released === undefined) return undefined;
      if (redactor.names.length === 0) return { ...released, changedOptions: new Map() };
      return redactReleased(released, redact);
    },
    listSurveyQuestions,
  };
}

async function redactReleased(
  released: ReleasedSurvey,
  redact: (texts: readonly string[]) => Promise<string[]>,
): Promise<RedactedReleasedSurvey> {
  const { survey } = released;
  const changedOptions = new Map<string, number>();
  const [title = survey.title] = await redact([survey.title]);
  const questions: SurveyRecord['questions'] = [];
  for (const question of survey.questions) {
    const before = question.options.map(({ optionText }) => optionText);
    const [questionText = '', ...texts] = await redact([question.questionText, ...before]);
    const isCombined = before.some(isOtherAnswers);
    for (const [index, text] of texts.entries()) {
      const key = createTextKey(text);
      if (isCombined && text !== before[index]) changedOptions.set(key, (changedOptions.get(key) ?? 0) + 1);
    }
    questions.push({ ...question, questionText, options: mergePublished(question.options, texts) });
  }
  return { ...released, survey: { ...survey, title, questions }, changedOptions };
}

/**
 * An option that is published separately and one of the combined small counts must not become alike while figures still change:
 * the sum would move a small count from one published number to another.
 *
 * @returns a store that throws InvalidFieldError for such a survey
 */
export function forbidLateMerges(
  store: RedactedSurveyStore,
  merged: RedactedSurvey['merged'],
): ReleasedSurveyStore {
  if (merged.size === 0) return store;
  return {
    ...store,
    findReleasedSurvey: async (organizationId, id) => {
      const released = await store.findReleasedSurvey(organizationId, id);
      if (released === undefined || isFinal(released.survey.status)) return released;
      for (const [key, { options, problem }] of merged)
        if (options > (released.changedOptions.get(key) ?? options)) throw new InvalidFieldError(problem);
      return released;
    },
  };
}

type PublishedOptions = SurveyRecord['questions'][number]['options'];

/** The sum of published counts reveals nothing that they do not reveal themselves. */
function mergePublished(options: PublishedOptions, texts: readonly string[]): PublishedOptions {
  const merged = new Map<string, PublishedOptions[number]>();
  for (const [index, { optionText: before, responseCount }] of options.entries()) {
    const optionText = texts[index] ?? before;
    const key = createTextKey(optionText);
    const count = (merged.get(key)?.responseCount ?? 0) + responseCount;
    merged.set(key, { optionText: merged.get(key)?.optionText ?? optionText, responseCount: count });
  }
  return [...merged.values()];
}
