/**
 * Redacts the texts of a survey before the disclosure control compares them with published ones. Therefore it redacts the
 * published ones for this comparison, too: texts that an earlier import published are replaced with the next one.
 */
import { translatePlaceholders } from '../../domain/published-words.ts';
import type { SurveyRecord } from '../../domain/records.ts';
import type { ReleasedSurveyStore } from '../../domain/store.ts';
import { InvalidFieldError } from '../../reasons/reason.ts';
import { hasSeveralRows } from '../disclosure-control/first-survey-release.ts';
import { createTextKey, isMultipleChoice } from '../disclosure-control/plausibility-checks.ts';
import type { OptionCount } from '../disclosure-control/small-count-suppression.ts';
import type { CountedQuestion, CountedSurvey } from '../disclosure-control/unsuppressed-survey.ts';
import type { Redactor } from './create-redactor.ts';
import type { RedactedText } from './custom-pattern-redactor.ts';

/** By the text before. */
type RedactedTexts = ReadonlyMap<string, RedactedText>;

type RedactTexts = Pick<Redactor, 'redactTexts' | 'names' | 'language'>;

interface RedactedSurvey {
  survey: CountedSurvey;
  /** Names of what was replaced, by the text after it. */
  replaced: ReadonlyMap<string, readonly string[]>;
}

/** @throws InvalidFieldError if options cannot be distinguished any more @throws the reason of an abort */
export async function redactSurvey(
  survey: CountedSurvey,
  redactor: RedactTexts,
  signal: AbortSignal,
): Promise<RedactedSurvey> {
  if (redactor.names.length === 0) return { survey, replaced: new Map() };
  const { identity } = survey;
  const wordings = identity?.otherWordings ?? [];
  const texts = await redactAll([...listTexts(survey), ...wordings.flat()], redactor, signal);
  const redact = (text: string) => texts.get(text)?.text ?? text;
  const questions = survey.questions.map((question, index) => ({
    ...question,
    questionText: redact(question.questionText),
    questionType: redact(question.questionType),
    options: mergeAlikeOptions(question, index, survey, texts),
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
  texts: RedactedTexts,
): OptionCount[] {
  const merged = new Map<string, OptionCount & { number: number; isReplaced: boolean }>();
  const others: OptionCount[] = [];
  for (const [position, { text: before, count }] of question.options.entries()) {
    const { text, replaced } = texts.get(before) as RedactedText;
    const option = { text, count, number: position + 1, isReplaced: replaced.length > 0 };
    const same = merged.get(createTextKey(text));
    if (same === undefined) merged.set(createTextKey(text), option);
    // The source itself repeats an option, which the plausibility check rejects.
    else if (!same.isReplaced && !option.isReplaced) others.push(option);
    else {
      if (!canAddCounts(question, survey, same.count + count))
        throw new InvalidFieldError({
          code: 'options-alike-after-redaction',
          question: index + 1,
          first: same.number,
          second: option.number,
        });
      same.count += count;
      same.isReplaced = true;
    }
  }
  return [...merged.values(), ...others].map(({ text, count }) => ({ text, count }));
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
): ReleasedSurveyStore {
  if (redactor.names.length === 0) return store;
  const redact = async (texts: readonly string[]) => {
    const redacted = await redactor.redactTexts(texts, signal);
    return redacted.map(({ text }) => translatePlaceholders(text, redactor.language));
  };
  let asked: ReturnType<ReleasedSurveyStore['listSurveyQuestions']> | undefined;
  const listSurveyQuestions: ReleasedSurveyStore['listSurveyQuestions'] = async (organizationId) =>
    Promise.all(
      (await store.listSurveyQuestions(organizationId)).map(async (survey) => ({
        ...survey,
        questionTexts: await redact(survey.questionTexts),
      })),
    );
  return {
    ...store,
    findReleasedSurvey: async (organizationId, id) => {
      const released = await store.findReleasedSurvey(organizationId, id);
      if (released === undefined) return undefined;
      const { title, questions } = released.survey;
      const [redactedTitle = title] = await redact([title]);
      const redacted = await Promise.all(
        questions.map(async (question) => {
          const [questionText = '', ...optionTexts] = await redact([
            question.questionText,
            ...question.options.map(({ optionText }) => optionText),
          ]);
          return { ...question, questionText, options: mergePublished(question.options, optionTexts) };
        }),
      );
      return { ...released, survey: { ...released.survey, title: redactedTitle, questions: redacted } };
    },
    // Redacted once, because an input can have many new surveys.
    listSurveyQuestions: (organizationId) => {
      asked ??= listSurveyQuestions(organizationId);
      return asked;
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
