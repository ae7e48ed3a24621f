/** Turns counted surveys of all formats into records that may be published: checks the counts and suppresses small ones. */

import { isOtherAnswers } from '../../../domain/organizations/placeholder-words.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { isDraft } from '../../../domain/records/is-draft.ts';
import type { ImportRecord, SurveyRecord } from '../../../domain/records/records.ts';
import type { ReleasedSurveyStore } from '../../../domain/store.ts';
import { deriveRecordId } from '../../../domain/values/uuid.ts';
import type { CountedQuestion, CountedSurvey, OptionCount } from '../../records/counted-survey.ts';
import type { ImportObserver } from '../../records/import-observer.ts';
import { parseRecord, toSurveyRecord } from '../../records/parse-record.ts';
import type { ParsedRecord, PublishableRecord } from '../../records/parsed-record.ts';
import { parseSurveyEnd } from '../../records/survey-end.ts';
import { keepCounts } from './first-survey-release.ts';
import { assertPlausible, createTextKey } from './plausibility-checks.ts';
import type { SurveyComparison } from './similar-survey.ts';
import { type SuppressionRule, sumCounts } from './small-count-suppression.ts';
import { truncateMiddle } from './suppression-notes.ts';
import { releaseResults, withoutCounts } from './survey-update.ts';

const minDifferentIdentifiers = 20;
/** Mean number of answers to an option below which the options may identify people. */
const minAnswers = 4;

export interface PublicationOptions {
  organizationId: string;
  /** UUID namespace for the ids of the source. */
  namespace: string;
  /** IANA name. */
  timeZone: string;
  /** undefined: the source has anonymised its counts, so they are published unchanged. */
  suppressionRule: SuppressionRule | undefined;
  /** Receives a note on each change to the counts. */
  observer: ImportObserver;
}

/**
 * @param comparison of the surveys of this import
 * @returns the record unchanged, or the publishable record of a counted survey
 */
export async function protectSurvey(
  parsed: ParsedRecord,
  store: ReleasedSurveyStore,
  comparison: SurveyComparison,
  options: PublicationOptions,
): Promise<PublishableRecord> {
  if (!('record' in parsed)) return parsed;
  const { location, id, record } = parsed;
  if (record.kind !== 'survey') return { ...parsed, record };
  const { suppressionRule: rule, organizationId, namespace, observer } = options;
  const { identity, ...given } = record.counted;
  const surveyId = deriveRecordId(namespace, given.surveyId);
  // `follows` names the published state, because another import may publish the survey before this one writes.
  const released = rule && (await store.findReleasedSurvey(organizationId, surveyId));
  const decision = identity?.decision;
  // An update of released results is protected by them.
  const isNew = !isDraft(given.status) && given.totalResponses !== 0 && !hasResults(released?.survey);
  const similar =
    rule === undefined || decision === 'continues' || !isNew
      ? []
      : await comparison.findSimilar(record.counted, surveyId, rule.threshold);
  const publishable = parseRecord(location, id, (): ImportRecord => {
    assertPlausible(given);
    const end = parseSurveyEnd(given, options);
    for (const question of given.questions.filter(lookLikeIdentifiers))
      observer.onNote?.({
        code: 'options-identify',
        title: truncateMiddle(given.title),
        question: truncateMiddle(question.questionText),
      });
    if (rule === undefined) {
      const survey = given.status === 'draft' ? withoutCounts(given) : keepCounts(given);
      return { kind: 'survey', ...toSurveyRecord({ ...survey }, options), ...end };
    }
    if (decision === 'continues' && released === undefined)
      throw new InvalidFieldError({ code: 'survey-not-published', id: surveyId });
    const [first] = similar;
    if (first !== undefined && decision === undefined) {
      observer.onSimilarSurvey?.(first);
      throw new InvalidFieldError({ code: 'survey-similar', ...first });
    }
    const published = released?.survey;
    const ownRule = { ...rule, otherText: findOtherText(published) ?? rule.otherText };
    const counted = normalizeTexts({ ...given, surveyId }, ownRule);
    const survey = releaseResults(counted, published, ownRule, (note) => observer.onNote?.(note));
    return {
      kind: 'survey',
      ...toSurveyRecord({ ...survey }, options),
      ...end,
      follows: released?.state ?? null,
      ...(similar.length > 0 && { besides: similar.map(({ id: other }) => other) }),
    };
  });
  if ('record' in publishable && publishable.record.kind === 'survey' && hasResults(publishable.record))
    comparison.add({ id: surveyId, ...publishable.record });
  return publishable;
}

const hasResults = (survey: SurveyRecord | undefined) => survey !== undefined && survey.totalResponses > 0;

const isAddress = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text);
const isUuid = (text: string) => /^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}$/i.test(text);
/** Six digits or more, as of a customer or a file. */
const isNumber = (text: string) => /^\p{L}{0,4}[-/_ ]?\d{6,}$/u.test(text);

/** Whether options may identify people: a column with numbers of customers is published like one with answers. */
function lookLikeIdentifiers({ options }: CountedQuestion): boolean {
  const texts = options.map(({ text }) => text.trim());
  const numbers = texts.filter(isNumber).length;
  const isDiverse = texts.length >= minDifferentIdentifiers && texts.length * minAnswers > sumCounts(options);
  return (
    texts.some((text) => isAddress(text) || isUuid(text)) ||
    numbers * 2 >= Math.max(2, texts.length) ||
    isDiverse
  );
}

/** A published option keeps its text, because it is compared with the next results. */
const findOtherText = (published: SurveyRecord | undefined): string | undefined =>
  published?.questions.flatMap(({ options }) => options).find(({ optionText }) => isOtherAnswers(optionText))
    ?.optionText;

/** Normalizes texts as the store does, so that they are comparable with published texts. */
function normalizeTexts(survey: CountedSurvey, { otherText }: SuppressionRule): CountedSurvey {
  const isOther = ({ text }: OptionCount) => createTextKey(text) === createTextKey(otherText);
  const questions = survey.questions.map((question) => ({
    ...question,
    questionText: question.questionText.normalize('NFC'),
    options: question.options.map((option) => ({
      text: isOther(option) ? otherText : option.text.normalize('NFC'),
      count: option.count,
    })),
  }));
  return { ...survey, questions };
}
