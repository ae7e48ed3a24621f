/** The fields of a published record with their names, in the order of the API. */

import { type Field, findField, getValueSchema } from '../../../contract/field.ts';
import type { DocumentLink, Point } from '../../../contract/resources/extension-fields.ts';
import type { SurveyResults } from '../../../contract/resources/survey.ts';
import { fieldsByKind, type RecordKind } from '../../../domain/records/records.ts';
import { isTimestamp } from '../../../domain/values/timestamps.ts';
import { apiValueText, descriptionList, publishedText, section } from '../components.ts';
import { html, type SafeHtml } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import { excerpt, externalLink } from './imported-text.ts';

const maxTextLength = 600;
const maxQuestions = 10;

/** @param document without its description, which pages show as a text */
function recordFields(context: ViewContext, kind: RecordKind, document: object): SafeHtml {
  return descriptionList(
    Object.entries(document)
      .filter(([name]) => name !== 'description')
      .map(([name, value]: [string, unknown]) => [
        fieldLabel(context, kind, name),
        describeSurveyEnd(context, name, value) ??
          describeValue(context, findField(fieldsByKind[kind], name), value),
      ]),
  );
}

/** @returns undefined for other fields. Years have no separators. */
function describeSurveyEnd({ format }: ViewContext, name: string, value: unknown): string | undefined {
  if (name === 'year' && typeof value === 'number') return String(value);
  return name === 'endedOn' && typeof value === 'string' ? format.day(value) : undefined;
}

/** The fields that have a value. @param shown fields that the page shows elsewhere */
export function recordFacts(
  context: ViewContext,
  kind: RecordKind,
  document: object,
  shown: readonly string[],
): SafeHtml {
  const isEmpty = (value: unknown) =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const facts = Object.entries(document).filter(([name, value]) => !isEmpty(value) && !shown.includes(name));
  return facts.length === 0 ? html`` : recordFields(context, kind, Object.fromEntries(facts));
}

export function fieldLabel({ text }: ViewContext, kind: RecordKind, name: string): string {
  const labels: Readonly<Record<string, string | { label: string }>> = {
    submission: text.submissionFields,
    session: text.dryRun.sessionFields,
    survey: text.dryRun.surveyFields,
  }[kind];
  const label = labels[name] ?? name;
  return typeof label === 'string' ? label : label.label;
}

export function describeValue(
  context: ViewContext,
  declared: Field | undefined,
  value: unknown,
): SafeHtml | string {
  const { text, format } = context;
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? text.browse.yes : text.browse.no;
  if (typeof value === 'number') return format.number(value);
  if (Array.isArray(value))
    return declared?.composedOf === undefined ? questionList(context, value) : documentList(context, value);
  if (declared?.composedOf === 'point') return describePoint(context, value as Point);
  if (typeof value !== 'string') return html`<code>${excerpt(JSON.stringify(value), maxTextLength)}</code>`;
  // Text from another system that is not a timestamp is published unchanged.
  if (isTimestamp(value)) return format.timeOrDay(value);
  const { format: valueFormat } = declared ? getValueSchema(declared) : {};
  if (valueFormat === 'date') return format.day(value);
  if (valueFormat === 'uuid') return html`<code>${value}</code>`;
  if (valueFormat === 'uri') return externalLink(value);
  return declared?.words
    ? apiValueText(value, context)
    : publishedText(excerpt(value, maxTextLength), context);
}

/** A section with links to the documents; nothing without one. */
export const documentSection = (
  context: ViewContext,
  kind: 'submission' | 'session',
  documents: readonly DocumentLink[] = [],
): SafeHtml =>
  documents.length === 0
    ? html``
    : section(fieldLabel(context, kind, 'documents'), html`${documentList(context, documents)}`);

/** Links to the documents in the system of the source. */
function documentList(context: ViewContext, documents: readonly DocumentLink[]): SafeHtml | string {
  if (documents.length === 0) return '–';
  const items = documents.map(
    ({ title, url, mediaType }) =>
      html`<li>${externalLink(url, publishedText(excerpt(title, maxTextLength), context))}${mediaType === null ? '' : html` <span class="kern-hint">${mediaType}</span>`}</li>`,
  );
  return html`<ul class="kern-list">${items}</ul>`;
}

function describePoint({ text, format }: ViewContext, { coordinates: [longitude, latitude] }: Point): string {
  const { north, east, south, west } = text.browse.directions;
  const degrees = (value: number, [positive, negative]: [string, string]) =>
    `${format.number(Math.abs(value))}° ${value < 0 ? negative : positive}`;
  return `${degrees(latitude, [north, south])}, ${degrees(longitude, [east, west])}`;
}

/** The questions of a survey, each with its options and their numbers of answers. */
function questionList(context: ViewContext, questions: SurveyResults['questions']): SafeHtml {
  const { text, format } = context;
  const items = questions.slice(0, maxQuestions).map(({ questionText, options }) => {
    const answers = options.map(
      ({ optionText, responseCount }) => `${optionText}: ${format.number(responseCount)}`,
    );
    const counts =
      answers.length === 0
        ? text.browse.noOptions
        : publishedText(excerpt(answers.join(' · '), maxTextLength), context);
    return html`<li>${publishedText(excerpt(questionText, maxTextLength), context)}<br><span class="kern-hint">${counts}</span></li>`;
  });
  const others = questions.length - maxQuestions;
  return html`<ul class="kern-list">${items}</ul>${others > 0 ? text.dryRun.moreQuestions(format.number(others)) : ''}`;
}
