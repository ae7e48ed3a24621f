/** Published surveys: their search, their list, and the results of each. */

import { recommendedValues } from '../../../contract/field-schemas.ts';
import type { SurveySummary } from '../../../contract/resources/survey.ts';
import { addWords, hasWords, type SearchWord } from '../../../contract/search-words.ts';
import { compareSurveyEnds } from '../../../domain/records/compare-survey-ends.ts';
import { isDraft } from '../../../domain/records/is-draft.ts';
import type { ShownSurvey, SurveyEnd, SurveyRecord } from '../../../domain/records/records.ts';
import { isSliceUsedUp, sortInSlices, waitForSlice } from '../../../platform/time-slices.ts';
import { bar } from '../chart.ts';
import {
  apiValueText,
  describeApiValue,
  descriptionList,
  errorSummary,
  longText,
  numeric,
  paragraph,
  publishedText,
  searchResult,
  section,
  select,
  sortApiValues,
  table,
} from '../components.ts';
import { each, html, mapLazily, type SafeHtml } from '../html.ts';
import { describeRange, pager, rowsPerPage, slicePage } from '../list-page.ts';
import type { RecordsContext, ViewContext } from '../view-context.ts';
import { excerpt } from './imported-text.ts';
import { markedText } from './marked-text.ts';
import { parseWords, recordWordsField } from './search-fields.ts';
import { type SearchOptions, wordsNotice } from './search-results.ts';
import { statusLine } from './status-badge.ts';

/** Names in the query of the search. */
export const surveyParameters = ['words', 'status', 'page'] as const;

/** Choices of a search. An import accepts any number. */
const maxStatuses = 500;

type Question = SurveyRecord['questions'][number];

/** The form of a search in titles, and what it found: nothing if its words are invalid. */
export async function searchSurveys(
  context: RecordsContext,
  { store, sourceId, sourceField = html``, toForm }: SearchOptions<'listSurveys'>,
): Promise<{ body: SafeHtml; isValid: boolean }> {
  const { text, query, language, organization } = context;
  const read = await store.listSurveys(organization.id, sourceId);
  const published = read.filter((survey) => !isDraft(survey.status));
  const { words, errors } = parseWords(context);
  const status = query.get('status') ?? '';
  const { compare } = new Intl.Collator(language);
  const matching: SurveySummary[] = [];
  for (const survey of published) {
    if (isSliceUsedUp()) await waitForSlice();
    if ((status === '' || survey.status === status) && titleHasWords(survey, words)) matching.push(survey);
  }
  const found = await sortInSlices(
    matching,
    (one, other) => compareSurveyEnds(one, other) || compare(one.title, other.title),
  );
  const slice = slicePage(context, found);
  const form = toForm([
    recordWordsField(context, text.dryRun.surveyFields.title, errors),
    select('status', text.terms.status, listStatuses(context, published, status), status),
    sourceField,
  ]);
  if (errors.words !== undefined)
    return { body: html`${errorSummary(context, errors)}${form}`, isValid: false };
  if (published.length === 0 && sourceId === undefined)
    return { body: html`${form}${paragraph(text.browse.noSurveys)}`, isValid: true };
  const range = describeRange(context, (slice.page - 1) * rowsPerPage, slice.rows.length, found.length);
  const body = html`${form}${wordsNotice(context)}${searchResult(found.length > 0 ? range : text.browse.noMatch)}
${slice.rows.length > 0 ? surveyTable(context, slice.rows, words) : ''}
${pager(context, slice)}`;
  return { body, isValid: true };
}

function titleHasWords({ title }: SurveySummary, words: readonly SearchWord[]): boolean {
  if (words.length === 0) return true;
  const present = new Set<string>();
  addWords(present, title);
  return hasWords(present, words);
}

export function surveyContent(
  context: ViewContext,
  { status, totalResponses, endedOn, year, questions, questionCount }: ShownSurvey,
): SafeHtml {
  const { text, format } = context;
  const answered = each(questions, (question, index) =>
    section(
      html`${index + 1}. ${publishedText(question.questionText, context)}`,
      questionResults(context, question, `${index + 1}. ${excerpt(question.questionText)}`, totalResponses),
    ),
  );
  return html`${statusLine(context, status)}
${descriptionList([
  year !== null && [
    endedOn === null ? text.dryRun.surveyFields.year : text.dryRun.surveyFields.endedOn,
    describeEnd(context, { endedOn, year }),
  ],
  [text.dryRun.surveyFields.totalResponses, format.number(totalResponses)],
])}
<button class="kern-btn kern-btn--secondary" type="button" hidden data-print><span class="kern-label">${text.statistics.print}</span></button>
${questions.length < questionCount ? paragraph(text.browse.questionsCut(format.number(questions.length), format.number(questionCount))) : ''}
${questions.length === 0 ? paragraph(text.browse.noQuestions) : answered}`;
}

const describeEnd = ({ format }: ViewContext, { endedOn, year }: SurveyEnd): string =>
  endedOn === null ? (year?.toString() ?? '–') : format.day(endedOn);

/** @param chosen empty: any */
function listStatuses(context: ViewContext, surveys: readonly SurveySummary[], chosen: string) {
  const present = new Set(surveys.map(({ status }) => status));
  const shown = new Set([...present.values().take(maxStatuses), ...(chosen && [chosen])]);
  const statuses = sortApiValues([...shown], recommendedValues.surveyStatus, context);
  return [
    { value: '', text: context.text.browse.any(context.text.terms.status) },
    ...statuses.map((status) => ({ value: status, text: describeApiValue(status, context) })),
  ];
}

function surveyTable(
  context: RecordsContext,
  surveys: readonly SurveySummary[],
  words: readonly SearchWord[],
): SafeHtml {
  const { text, format, recordsAddress } = context;
  const rows = mapLazily(surveys, ({ id, title, status, totalResponses, ...end }) => [
    html`<a class="kern-link record-link" href="${recordsAddress(`surveys/${id}`)}">${publishedText(markedText(title, words), context)}</a>`,
    describeEnd(context, end),
    apiValueText(status, context),
    format.number(totalResponses),
  ]);
  return table(
    text.terms.surveys,
    [
      text.terms.survey,
      text.browse.surveyEnd,
      text.terms.status,
      numeric(text.dryRun.surveyFields.totalResponses),
    ],
    rows,
    { cards: '' },
  );
}

/** Bars and shares of the answers. The whole is the number of responses, also if not all of them have a published answer. */
function questionResults(
  context: ViewContext,
  { questionType, options }: Question,
  name: string,
  totalResponses: number,
): SafeHtml {
  const { text, format } = context;
  const type = paragraph(text.browse.questionType, ': ', apiValueText(questionType, context));
  if (options.length === 0) return html`${type}${paragraph(text.browse.noOptions)}`;
  const row = (label: SafeHtml, count: number) => [
    label,
    format.number(count),
    html`${bar(count, totalResponses)} ${totalResponses > 0 ? format.percent(count / totalResponses) : ''}`,
  ];
  const answered = options.reduce((sum, { responseCount }) => sum + responseCount, 0);
  const allowsSeveral = questionType === 'multiple_choice' || answered > totalResponses;
  const unpublished = allowsSeveral ? 0 : totalResponses - answered;
  const rows = mapLazily([...options, ...(unpublished > 0 ? [unpublished] : [])], (option) =>
    typeof option === 'number'
      ? row(html`<em>${text.browse.unpublishedAnswers}</em>`, option)
      : row(longText(publishedText(option.optionText, context)), option.responseCount),
  );
  const columns = [
    text.browse.option,
    numeric(text.terms.count),
    text.browse.shareOf(format.number(totalResponses)),
  ];
  const isRounded = options.some(({ responseCount }) => responseCount > 0 && responseCount < totalResponses);
  const notes = [allowsSeveral && text.browse.severalAnswers, isRounded && text.browse.rounded].filter(
    Boolean,
  );
  return html`${type}${table(name, columns, rows, { cards: '' })}
${notes.length > 0 ? html`<p class="kern-body kern-body--small">${notes.join(' ')}</p>` : ''}`;
}
