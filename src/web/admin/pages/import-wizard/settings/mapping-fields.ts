/** The form fields that map the columns of a table to published fields. */

import type { Field } from '../../../../../contract/field.ts';
import { recommendedValues } from '../../../../../contract/field-schemas.ts';
import { type SubmissionField, submissionFields } from '../../../../../contract/resources/submission.ts';
import { joinDatePatterns } from '../../../../../domain/sources/join-date-patterns.ts';
import type {
  ColumnSummary,
  SuggestedMapping,
  WordCount,
} from '../../../../../domain/sources/suggested-mapping.ts';
import {
  type FieldMapping,
  statusKeysWithoutWord,
  type TableMappingDraft,
} from '../../../../../domain/sources/table-mapping.ts';
import { findSkippedWords } from '../../../../../ingest/formats/table/suggestion/draft-field-mapping.ts';
import type { Messages } from '../../../../messages/en.ts';
import {
  type Choice,
  describeApiValue,
  field,
  fieldError,
  focusedAttributes,
  numeric,
  paragraph,
  select,
  table,
  userText,
} from '../../../../ui/components.ts';
import { folded, settingSummary } from '../../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../../ui/html.ts';
import { describeValue } from '../../../../ui/records/record-fields.ts';
import type { TenantContext } from '../../../requests/page-context.ts';
import {
  allColumns,
  describeEvidence,
  describePersonalData,
  listColumnEvidence,
  nameColumn,
  sampleLine,
  suggestionProblems,
} from './column-evidence.ts';
import { columnSelect } from './column-select.ts';
import { commonDatePatterns, dateExample } from './date-example.ts';
import { firstRowsTable } from './first-rows.ts';
import {
  columnsKey,
  findCandidate,
  findColumn,
  isCombined,
  isRequired,
  isTime,
  keepChoice,
  listColumns,
  mappedFields,
  otherWord,
  sameWord,
  skippedWord,
  toDetails,
} from './mapping-draft.ts';

interface MappingFormState {
  suggestion: SuggestedMapping;
  mapping: TableMappingDraft;
  /** The source and its municipality publish locations. */
  publishesLocations: boolean;
  /** Undefined when the form is opened. */
  entered: URLSearchParams | undefined;
  /** Messages by the name of the form field. */
  errors: Readonly<Record<string, string>>;
}

export function mappingFields(context: TenantContext, state: MappingFormState): SafeHtml {
  const { text, format } = context;
  const { suggestion } = state;
  const words = text.importSettings.mapping;
  const files = suggestion.files.join(', ');
  const uses = listUses(context, state.mapping);
  const { warnings, marked } = suggestionProblems(context, suggestion);
  // The values of other columns are the result of their choice.
  const isResult = state.entered !== undefined && Object.keys(state.errors).length === 0;
  return html`<fieldset class="field-group mapping"><legend class="kern-title"${isResult ? focusedAttributes : ''}>${words.title}</legend>
${paragraph(words.intro(files, format.number(suggestion.columns.length), format.number(suggestion.rows)))}
${warnings}
${firstRowsTable(context, state, marked)}
${allColumns(context, suggestion, uses)}
<div data-follows-columns><div><h2 class="kern-title kern-title--small">${words.requiredFields}</h2>
${mappedFields.filter(isRequired).map((name) => mappingRow(context, state, name))}</div>
<div class="folded-settings"><h2 class="kern-title kern-title--small">${words.optionalFields}</h2>
${mappedFields.filter((name) => !isRequired(name)).map((name) => optionalField(context, state, name))}
</div>
${keptSettings(context, state.mapping)}</div>
</fieldset>`;
}

/** Folded, with what the field gets. */
function optionalField(context: TenantContext, state: MappingFormState, name: SubmissionField): SafeHtml {
  const { text } = context;
  const { errors, entered, mapping } = state;
  const columns = listColumns(name, mapping.submission?.[name]);
  const isChanged = entered !== undefined && entered.get(`shown.${name}`) !== columnsKey(columns ?? []);
  const isWrong = Object.keys(errors).some((key) => key.endsWith(`.${name}`) || key.startsWith(`${name}.`));
  const needsChoice = name === 'status' && listStatusWords(state).some(({ published }) => published === '');
  const summary = settingSummary(text.submissionFields[name].label, describeContent(context, state, name));
  return folded(summary, mappingRow(context, state, name), isChanged || isWrong || needsChoice);
}

/** Names the columns of a field and shows sample cells. For a field without a column, it names the published value. */
function describeContent(context: TenantContext, state: MappingFormState, name: SubmissionField): SafeHtml {
  const { text } = context;
  const words = text.importSettings.mapping;
  const { suggestion, mapping } = state;
  const present =
    mapping.submission?.[name] ?? (name === 'sourceStatus' ? findStatusWords(mapping) : undefined);
  const columns = listColumns(name, present);
  if (columns === undefined && present !== undefined) return html`${describeKept(present, text)}`;
  const [first] = columns ?? [];
  if (first !== undefined) {
    const column = findColumn(suggestion, first);
    return html`${userText((columns ?? []).map((name) => nameColumn(name, text)).join(' + '))}${column ? html` (${sampleLine(column, context)})` : ''}`;
  }
  const { importDefault }: Field = submissionFields[name];
  if (importDefault === null || Array.isArray(importDefault)) return html`${words.notPublished}`;
  const value =
    typeof importDefault === 'object' && 'sameAs' in importDefault
      ? words.sameAs(text.submissionFields[importDefault.sameAs as SubmissionField].label)
      : describeValue(context, submissionFields[name], importDefault);
  return html`${words.withoutColumn} ${value}`;
}

/** @returns the mapping of a status whose words are published, too */
function findStatusWords({ submission }: TableMappingDraft): FieldMapping | undefined {
  if (submission?.status === undefined) return undefined;
  const details = toDetails(submission.status);
  return statusKeysWithoutWord.some((key) => details[key] !== undefined) ? undefined : details;
}

function mappingRow(context: TenantContext, state: MappingFormState, name: SubmissionField): SafeHtml {
  const { text } = context;
  const { suggestion, mapping, errors } = state;
  const { label, hint } = text.submissionFields[name];
  const columns = listColumns(name, mapping.submission?.[name]);
  const error = errors[`column.${name}`];
  const [first] = columns ?? [];
  const hintId = `column.${name}-hint`;
  const described = [hintId, `column.${name}-evidence`, error && `column.${name}-error`]
    .filter(Boolean)
    .join(' ');
  return html`<div class="mapping-row">
<div class="mapping-row__field">
<label class="kern-label" for="column.${name}">${isRequired(name) ? label : text.importSettings.mapping.columnFor(label)}</label>
<div class="kern-hint" id="${hintId}">${hint}</div>
</div>
<div class="mapping-row__choice kern-form-input${error ? ' kern-form-input--error' : ''}">
${columnSelect(`column.${name}`, described, listChoices(context, state, name, columns === undefined), columns === undefined ? keepChoice : toChoice(first), error)}
${error ? fieldError(`column.${name}`, error) : ''}
${isCombined(name) && columns !== undefined && first !== undefined ? secondColumn(context, suggestion, name, columns) : ''}
${isTime(name) && first !== undefined ? dateField(context, state, name) : ''}
<input type="hidden" name="shown.${name}" value="${columnsKey(columns ?? [])}">
</div>
<div class="mapping-row__evidence" id="column.${name}-evidence">${evidence(context, suggestion, name, columns ?? [])}</div>
${name === 'status' ? statusTable(context, state) : ''}
</div>`;
}

/** Folded while the field has one column, as most have. */
function secondColumn(
  context: TenantContext,
  suggestion: SuggestedMapping,
  name: SubmissionField,
  [, second]: readonly string[],
): SafeHtml {
  const { text } = context;
  const words = text.importSettings.mapping;
  const id = `second.${name}`;
  const choices = [{ value: '', text: words.noSecond }, ...listAllColumns(context, suggestion, second)];
  const label = words.secondColumnFor(text.submissionFields[name].label);
  return folded(
    label,
    html`<label class="hidden-text" for="${id}">${label}</label>${columnSelect(id, '', choices, toChoice(second), undefined)}`,
    second !== undefined,
  );
}

const toChoice = (column: string | undefined) => (column === undefined ? '' : `column:${column}`);

const listAllColumns = (
  { text }: TenantContext,
  suggestion: SuggestedMapping,
  chosen: string | undefined,
): Choice[] => {
  const names = suggestion.columns.map(({ name }) => name);
  // A stored mapping may name a column that the file no longer has.
  const missing = chosen !== undefined && !names.includes(chosen) ? [chosen] : [];
  return [...missing, ...names].map((name) => ({ value: `column:${name}`, text: nameColumn(name, text) }));
};

/** Suggested columns come first, the likeliest at the top. */
function listChoices(
  context: TenantContext,
  { suggestion, mapping }: MappingFormState,
  name: SubmissionField,
  isKept: boolean,
): Choice[] {
  const { text } = context;
  const words = text.importSettings.mapping;
  const present = mapping.submission?.[name];
  const [chosen] = listColumns(name, present) ?? [];
  const candidates = suggestion.fields.find(({ field }) => field === name)?.candidates ?? [];
  const suggested = [...new Set(candidates.map(({ columns: [first = ''] }) => first))];
  const all = listAllColumns(context, suggestion, chosen);
  const rank = ({ value }: Choice) => suggested.indexOf(value.slice('column:'.length));
  return [
    { value: '', text: isRequired(name) ? words.choose : words.none },
    ...(isKept && present !== undefined ? [{ value: keepChoice, text: describeKept(present, text) }] : []),
    ...all
      .filter((choice) => rank(choice) !== -1)
      .sort((one, other) => rank(one) - rank(other))
      .map(({ value, text }) => ({ value, text: `${text} – ${words.suggested}` })),
    ...all.filter((choice) => rank(choice) === -1),
  ];
}

function describeKept(
  mapping: NonNullable<TableMappingDraft['submission']>[SubmissionField],
  text: Messages,
): string {
  const { constant, columns = [] } = toDetails(mapping ?? '');
  return constant === undefined ? columns.map((name) => nameColumn(name, text)).join(' + ') : `= ${constant}`;
}

function dateField(context: TenantContext, state: MappingFormState, name: SubmissionField): SafeHtml {
  const { text } = context;
  const words = text.importSettings.mapping;
  const details = toDetails(state.mapping.submission?.[name] ?? '');
  const column = findColumn(state.suggestion, details.column ?? details.columns?.[0] ?? '');
  const alternative = column?.date?.alternative;
  const present = joinDatePatterns(details.date ?? '');
  const patterns = [present, column?.date?.pattern, alternative, ...commonDatePatterns];
  const choices = [...new Set(patterns)]
    .filter((pattern) => pattern !== undefined && pattern !== null && pattern !== '')
    .map((pattern) => ({
      value: pattern as string,
      text: dateExample(pattern as string, state.suggestion.files, context),
    }));
  const { label } = text.submissionFields[name];
  const own = field({
    name: `datePattern.${name}`,
    label: words.ownDatePattern(label),
    hint: words.datePatternHint,
    optional: text.form.optional,
    autocomplete: 'off',
    attributes: html` spellcheck="false"`,
  });
  return html`${select(
    `date.${name}`,
    words.datePattern(label),
    present === '' ? [{ value: '', text: words.choose }, ...choices] : choices,
    present,
    state.errors[`date.${name}`],
    alternative
      ? words.dateAlternative(dateExample(alternative, state.suggestion.files, context))
      : undefined,
  )}
${folded(words.ownDatePattern(label), own)}`;
}

function evidence(
  context: TenantContext,
  suggestion: SuggestedMapping,
  name: SubmissionField,
  columns: readonly string[],
): SafeHtml {
  const found = columns
    .map((column) => findColumn(suggestion, column))
    .filter((column) => column !== undefined);
  const candidate = findCandidate(suggestion, name, columns);
  const question =
    name === 'id' && found.length > 0
      ? html`<p class="kern-body kern-body--small">${context.text.mappingSuggestion.problems.lastingId}</p>`
      : '';
  const rows = found.map((column) => {
    const isFirst = column === found[0];
    // Evidence without a column is that of all columns together.
    const facts =
      candidate?.evidence.filter((fact) =>
        fact.column === undefined ? isFirst : fact.column === column.name,
      ) ?? listColumnEvidence(column, suggestion.rows);
    const warning = describePersonalData([column], context);
    return html`<div>${found.length > 1 ? html`<p class="kern-label kern-label--small">${userText(nameColumn(column.name, context.text))}</p>` : ''}
<p class="evidence kern-body kern-body--small">${sampleLine(column, context)}</p>
${facts.length > 0 ? html`<ul class="evidence kern-body kern-body--small">${facts.map((fact) => html`<li>${describeEvidence(fact, suggestion.files, context)}</li>`)}</ul>` : ''}
${warning === undefined ? '' : html`<p class="column-warning kern-body kern-body--small"><span class="kern-icon kern-icon--warning" aria-hidden="true"></span>${warning}</p>`}</div>`;
  });
  return html`${rows}${question}`;
}

interface StatusWord extends WordCount {
  /** Name of its form field. */
  id: string;
  /** The chosen value; empty: the user has to choose. */
  published: string;
}

/** @returns undefined for a status without a column, or with a column that the file lacks */
function findStatusColumn({ suggestion, mapping }: MappingFormState): ColumnSummary | undefined {
  const [name] = listColumns('status', mapping.submission?.status) ?? [];
  return name === undefined ? undefined : findColumn(suggestion, name);
}

/** The words of the status column, as the form shows them; empty for a status without a column or words. */
function listStatusWords(state: MappingFormState): StatusWord[] {
  const { mapping } = state;
  const present = mapping.submission?.status;
  const column = findStatusColumn(state);
  if (!column?.words || present === undefined) return [];
  const { values = {}, default: others } = toDetails(present);
  const skipped = findSkippedWords(column, mapping.skip);
  const entered = findEnteredStatuses(state);
  return column.words.map(({ word, count }, index) => {
    const id = `status.${index}`;
    const stored = skipped?.inFile.has(word)
      ? skippedWord
      : (values[word] ?? (others === undefined ? '' : otherWord));
    const published = entered?.get(id) ?? (stored === word && !isRecommended(word) ? sameWord : stored);
    return { id, word, count, published };
  });
}

/** @returns undefined if the form did not show the words of this column */
function findEnteredStatuses({ mapping, entered }: MappingFormState): URLSearchParams | undefined {
  const columns = listColumns('status', mapping.submission?.status) ?? [];
  return entered?.get('shown.status') === columnsKey(columns) ? entered : undefined;
}

/** The published status of each word in the status column. */
function statusTable(context: TenantContext, state: MappingFormState): SafeHtml {
  const { text, format } = context;
  const labels = text.importSettings.mapping;
  const column = findStatusColumn(state);
  const words = listStatusWords(state);
  if (column === undefined || words.length === 0) return html``;
  const { mapping, errors } = state;
  const canSkip = findSkippedWords(column, mapping.skip) !== undefined;
  const statuses = recommendedValues.submissionStatus.map((value) => ({
    value,
    text: describeApiValue(value, context),
  }));
  const rows = words.map(({ id, word, count, published }) => {
    const own = [...statuses.map(({ value }) => value), '', sameWord, otherWord, skippedWord].includes(
      published,
    )
      ? []
      : [{ value: published, text: published }];
    const choices = [
      { value: '', text: labels.chooseStatus },
      ...statuses,
      ...own,
      { value: sameWord, text: labels.sameWord },
      { value: otherWord, text: labels.asOthers },
      ...(canSkip ? [{ value: skippedWord, text: labels.skippedWord }] : []),
    ];
    const error = errors[id];
    return [
      html`<label class="long-text" for="${id}">${userText(word)}</label>`,
      format.number(count),
      html`${columnSelect(id, error ? `${id}-error` : '', choices, published, error, labels.publishedStatusOf(word))}${error ? fieldError(id, error) : ''}`,
    ];
  });
  const chosenOthers =
    findEnteredStatuses(state)?.get('status.others') ??
    toDetails(mapping.submission?.status ?? '').default ??
    '';
  const rowOfOthers = [
    html`<label for="status.others">${labels.otherWords}</label>`,
    '',
    columnSelect(
      'status.others',
      '',
      [{ value: '', text: labels.rejectWord }, ...statuses],
      chosenOthers,
      undefined,
    ),
  ];
  const columns = [labels.statusWord, numeric(labels.statusCount), labels.publishedStatus];
  return html`<div class="mapping-row__details status-words">
${table(labels.statusValues, columns, [...rows, rowOfOthers], { hint: `${labels.statusIntro} ${labels.statusMeaning}` })}
</div>`;
}

const isRecommended = (word: string) =>
  (recommendedValues.submissionStatus as readonly string[]).includes(word);

/** The columns of `skip`, and the keys of the mapping that the form does not show. */
function keptSettings(
  { text }: TenantContext,
  { submission, skip = {}, ...others }: TableMappingDraft,
): SafeHtml {
  const words = text.importSettings.mapping;
  const skipping = Object.keys(skip).map((column) => nameColumn(column, text));
  const kept = Object.keys(others).filter((key) => !['delimiter', 'encoding'].includes(key));
  return html`${skipping.length === 0 ? '' : paragraph(words.skipping(skipping.length === 1), ' ', userText(skipping.join(', ')))}
${kept.length === 0 ? '' : paragraph(words.kept, ' ', html`<code>${kept.join(', ')}</code>`)}`;
}

function listUses({ text }: TenantContext, { submission = {} }: TableMappingDraft): Map<string, string> {
  const uses = new Map<string, string>();
  for (const field of mappedFields) {
    const mapping = submission[field];
    if (mapping === undefined) continue;
    const { column, columns = [] } = toDetails(mapping);
    for (const name of column === undefined ? columns : [column])
      uses.set(name, [uses.get(name), text.submissionFields[field].label].filter(Boolean).join(', '));
  }
  return uses;
}
