/**
 * Proposals of Decidim as CSV, from its open data or the admin area, or as JSON from its API. The parts of a nested value are columns with slashes
 * in their names (`title/ca`). The columns depend on Decidim's version.
 */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { composePageUrl, type FormatOptions } from '../../format-options.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { readJson } from '../../readers/json/json.ts';
import { type Input, openInput, type TextInput } from '../../readers/open-input.ts';
import { readTable } from '../../readers/tables/table.ts';
import { toDocuments } from '../../records/documents.ts';
import { isObject } from '../../records/field-validation.ts';
import { convertAnswer, convertMarkupLine } from '../../records/html-to-text.ts';
import { reportMapped, reportStatus } from '../../records/import-observer.ts';
import { leaveOutInvalidFields } from '../../records/leave-out-invalid-fields.ts';
import { readCoordinates } from '../../records/locations/read-point.ts';
import { parseMappedRecord, toImportRecord, toRetraction } from '../../records/parse-record.ts';
import type { SourceLocation } from '../../records/parsed-record.ts';
import {
  type DatePlace,
  findRetractionMark,
  findStatusMark,
  isMarked,
  isPublishedNow,
} from '../../records/retraction-marks.ts';
import { findStatus, parseStatuses } from '../custom-statuses.ts';
import {
  applyRules,
  createLeftOutFinder,
  type FieldRule,
  type FormatReader,
  type FormatReadOptions,
} from '../format-definition.ts';
import { type DatedEntry, keepNewestStates } from '../keep-newest-states.ts';
import { findMissingColumn, listTranslations, type Translation } from './decidim-format.ts';
import { joinTitleAndText, parseProposalTime, parseSupportCount } from './proposal-fields.ts';

interface Columns {
  title: readonly Translation[];
  body: readonly Translation[];
  answer: readonly Translation[];
  /** By precedence. */
  topics: readonly (readonly Translation[])[];
  supports: string | undefined;
}

interface Proposal {
  cells: Readonly<Record<string, string>>;
  columns: Columns;
  /** Of the API. */
  attachments: readonly Record<string, unknown>[];
}

const statuses = new Map([
  ['accepted', 'accepted'],
  ['rejected', 'rejected'],
  ['evaluating', 'in_review'],
  ['withdrawn', 'withdrawn'],
  ['not_answered', 'submitted'],
  ['', 'submitted'],
]);

/** A proposal in a custom state has an answer, so it is being processed. */
const unknownStatus = 'in_review';

const rules: readonly FieldRule<Proposal, FormatReadOptions>[] = [
  { field: 'id', from: '`id`', extract: ({ cells }) => cells.id?.trim() || undefined },
  {
    field: 'referenceNumber',
    from: '`reference`',
    extract: ({ cells }) => cells.reference?.trim() || undefined,
  },
  {
    field: 'description',
    from: '`title`, blank line, `body`, as plain text: of --locale, else of the first locale with a title',
    extract: ({ cells, columns }, options) => {
      const locale = getLocale(options);
      const title = findTranslation(cells, columns.title, [locale]);
      const body = findTranslation(cells, columns.body, [title?.locale, locale]);
      return joinTitleAndText(title?.text, body?.text);
    },
  },
  {
    field: 'status',
    from: '`withdrawn`, else `state`: accepted, rejected, withdrawn; in_review for evaluating; submitted for not_answered or if empty',
    extract: ({ cells }, { observer, formatOptions }) => {
      const status = getStatus(cells, formatOptions);
      const state = cells.state ?? '';
      const value = status === undefined ? state.trim() : isWithdrawn(cells) ? 'withdrawn' : state;
      const statusWord = isWithdrawn(cells) ? undefined : state;
      return reportStatus(observer, status, { fallback: unknownStatus, value, statusWord });
    },
  },
  {
    field: 'sourceStatus',
    from: '`state`, unchanged; none of a withdrawn proposal, or of an unpublished answer',
    extract: ({ cells }) =>
      isWithdrawn(cells) || hasUnpublishedAnswer(cells) ? undefined : convertMarkupLine(cells.state ?? ''),
  },
  {
    field: 'answer',
    from: '`answer`, as plain text, in the locale as above, if it is published',
    extract: ({ cells, columns }, options) => {
      if (hasUnpublishedAnswer(cells)) return undefined;
      const locale = getLocale(options);
      const titleLocale = findTranslation(cells, columns.title, [locale])?.locale;
      return convertAnswer(findTranslation(cells, columns.answer, [titleLocale, locale])?.text ?? '');
    },
  },
  {
    field: 'statusChangedAt',
    from: '`withdrawn_at` of withdrawn proposals; else `state_published_at`, else `answered_at`; `createdAt` of submitted ones',
    extract: ({ cells }, options) => {
      const status = getStatus(cells, options.formatOptions);
      // The date of an unpublished answer is no status change.
      if (status === 'submitted') return undefined;
      const names = ['state_published_at', 'answered_at'];
      return findTime(cells, status === 'withdrawn' ? ['withdrawn_at', ...names] : names, options);
    },
  },
  {
    field: 'topicCategoryName',
    from: 'first of `taxonomies`, else `category/name`, in the locale as above',
    extract: ({ cells, columns }, options) => {
      const locale = getLocale(options);
      const titleLocale = findTranslation(cells, columns.title, [locale])?.locale;
      for (const translations of columns.topics) {
        const found = findTranslation(cells, translations, [locale, titleLocale]);
        if (found === undefined) continue;
        const topic = convertMarkupLine(parseTopicName(found.text, locale ?? titleLocale) ?? '');
        return topic === ''
          ? undefined
          : reportMapped(options.observer, 'topicCategoryName', found.cell, topic);
      }
      return undefined;
    },
  },
  {
    field: 'supportCount',
    from: '`votes`, else `supports`, else `endorsements/total_count` (later `likes/total_count`, or `endorsements_count`); 0 if hidden',
    extract: ({ cells, columns: { supports: column } }) =>
      column === undefined ? undefined : parseSupportCount(column, cells[column] ?? ''),
  },
  {
    field: 'hasAttachments',
    from: '`attachments` above 0',
    extract: ({ cells }) => !/^0*$/.test((cells.attachments ?? '').trim()),
  },
  {
    field: 'documents',
    from: '`title`, in the locale as above, and `url` of the attachments that the API returns; tables have only their number',
    extract: ({ attachments }, options) =>
      toDocuments(
        attachments.map(({ title, url }) => {
          const cells = Object.fromEntries(listCells('title', title));
          const named = findTranslation(cells, listTranslations(Object.keys(cells), 'title'), [
            getLocale(options),
          ]);
          return { kind: 'attachment', title: named?.text, addresses: [url] };
        }),
        options,
      ),
  },
  {
    field: 'createdAt',
    from: '`published_at`, else `created_at`',
    extract: ({ cells }, options) => {
      const time = findTime(cells, ['published_at', 'created_at'], options);
      if (time === undefined)
        throw new InvalidFieldError({ code: 'fields-missing', fields: ['published_at', 'created_at'] });
      return time;
    },
  },
  {
    field: 'location',
    from: '`latitude` and `longitude`',
    extract: ({ cells }, options) => readCoordinates([cells.latitude, cells.longitude], options),
  },
  {
    field: 'title',
    from: '`title`, of the locale as above',
    extract: ({ cells, columns }, options) =>
      convertMarkupLine(findTranslation(cells, columns.title, [getLocale(options)])?.text ?? ''),
  },
  {
    field: 'sourceUrl',
    from: '`url`, else --page-url with the `id`',
    extract: ({ cells }, { formatOptions }) =>
      cells.url?.trim() || composePageUrl(formatOptions, cells.id?.trim() || undefined),
  },
];

const findLeftOutColumns = createLeftOutFinder(rules);
const isMachineTranslation = /\/machine_translations\//;

export const reader: FormatReader = {
  listMappings: () => [{ kind: 'submission', fieldSources: rules }],
  fileParsers: { statuses: parseStatuses },
  readRecords: (sources, options) => keepNewestStates(readDecidim(sources, options)),
};

async function* readDecidim(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<DatedEntry> {
  let hidden = 0;
  let shown = 0;
  let amendments = 0;
  const noteAmendment = () => {
    amendments += 1;
  };
  for (const source of sources) {
    await using input = await openInput(source, options);
    const entries =
      input.kind === 'json' ? readNodes(input, options) : readRows(input, { ...options, noteAmendment });
    for await (const entry of entries) {
      const { parsed } = entry;
      if ('record' in parsed && parsed.record.kind === 'submission') {
        if (parsed.record.isSupportCountMissing) hidden += 1;
        else shown += 1;
      }
      yield entry;
    }
  }
  // If all are hidden, the summary says that the source has no support counts.
  if (hidden > 0 && shown > 0) options.observer.onNote?.({ code: 'votes-hidden', count: hidden });
  // A setting of the component, which no export contains, can limit them to their participants.
  if (amendments > 0) options.observer.onNote?.({ code: 'amendments-published', count: amendments });
}

async function* readRows(
  input: Input,
  options: FormatReadOptions & { noteAmendment(): void },
): AsyncGenerator<DatedEntry> {
  let columns: Columns | undefined;
  const rows = readTable(input, {}, (header = []) => {
    columns = findColumns(input.name, header, getLocale(options));
    options.observer.onLeftOutColumns?.(
      header.filter((name) => isMachineTranslation.test(name) || findLeftOutColumns([name]).length > 0),
    );
  });
  for await (const { location, cells, problem } of rows) {
    if (cells === undefined || columns === undefined)
      yield { parsed: { location, rejectionReason: problem as Reason }, updatedAt: undefined };
    else {
      const entry = parseProposal(location, { cells, columns, attachments: [] }, options);
      if ('record' in entry.parsed && isMarked(cells.is_amend)) options.noteAmendment();
      yield entry;
    }
  }
}

/** A list of proposals of the API. */
async function* readNodes(input: TextInput, options: FormatReadOptions): AsyncGenerator<DatedEntry> {
  let isFirst = true;
  for await (const { location, value, problem } of readJson(input.name, input.content)) {
    if (problem !== undefined) yield { parsed: { location, rejectionReason: problem }, updatedAt: undefined };
    else {
      const cells = isObject(value) ? toCells(value) : {};
      if (isFirst) findColumns(input.name, Object.keys(cells), undefined);
      isFirst = false;
      const columns = listColumns(Object.keys(cells));
      const { attachments } = isObject(value) ? value : {};
      const files = Array.isArray(attachments) ? attachments.filter(isObject) : [];
      yield parseProposal(location, { cells, columns, attachments: files }, options);
    }
  }
}

/** Columns of values whose names differ not only in their case. */
const nodeColumns: Readonly<Record<string, string>> = {
  voteCount: 'votes',
  likesCount: 'endorsements_count',
};

/** A proposal of the API as a row of a table, so that the same rules read both. */
function toCells(node: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) =>
      listCells(
        nodeColumns[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ),
    ),
  );
}

/** @param value a text, translations, an object with a name, or a list of such objects */
function listCells(column: string, value: unknown): [string, string][] {
  if (value === null || value === undefined) return [[column, '']];
  if (!isObject(value) && !Array.isArray(value)) return [[column, String(value)]];
  if (column === 'attachments' && Array.isArray(value)) return [[column, String(value.length)]];
  if (Array.isArray(value))
    return value.filter(isObject).flatMap(({ id, name }) => listCells(`${column}/${String(id)}`, name));
  if (isObject(value.name)) return listCells(`${column}/name`, value.name);
  if (column === 'coordinates')
    return ['latitude', 'longitude'].flatMap((name) => listCells(name, value[name] ?? ''));
  const translations = Array.isArray(value.translations) ? value.translations.filter(isObject) : [];
  if (translations.length === 0) return [[column, '']];
  return translations.map(({ locale, text, machineTranslated }) => [
    `${column}/${machineTranslated === true ? 'machine_translations/' : ''}${String(locale)}`,
    typeof text === 'string' ? text : '',
  ]);
}

function parseProposal(location: SourceLocation, proposal: Proposal, options: FormatReadOptions): DatedEntry {
  const { cells } = proposal;
  const because = findRetraction(cells, options);
  const parsed =
    because === undefined
      ? parseMappedRecord(location, cells.id, options, (held) => {
          const fields = leaveOutInvalidFields(
            'submission',
            applyRules(rules, proposal, held),
            held.observer,
          );
          return toImportRecord('submission', fields, held);
        })
      : toRetraction(location, 'submission', cells.id?.trim(), because, options);
  return { parsed, updatedAt: findUpdate(cells, options) };
}

/** @returns why the proposal must not be public: moderators hide it, its authors have not published it, or it is deleted */
function findRetraction(cells: Proposal['cells'], place: DatePlace): Reason | undefined {
  if (isMarked(cells['moderation/hidden_at'])) return { code: 'proposal-hidden' };
  const { published_at: published } = cells;
  if (published !== undefined && !isPublishedNow(published, place)) return { code: 'proposal-unpublished' };
  return findRetractionMark(cells, place) ?? findStatusMark(cells.state);
}

/** @returns undefined for a missing or invalid time */
function findUpdate(cells: Proposal['cells'], options: FormatReadOptions): string | undefined {
  try {
    return findTime(cells, ['updated_at'], options);
  } catch (error) {
    if (error instanceof InvalidFieldError) return undefined;
    throw error;
  }
}

const getLocale = ({ formatOptions }: FormatReadOptions) => formatOptions.locale as string | undefined;

/** @throws InputError for a table without proposals, or without titles in the given locale */
function findColumns(name: string, header: readonly string[], locale: string | undefined): Columns {
  const missing = findMissingColumn(header);
  if (missing !== undefined) {
    throw new InputError({ code: 'decidim-column-missing', file: name, column: missing });
  }
  const title = listTranslations(header, 'title');
  const locales = title.flatMap((translation) => translation.locale ?? []);
  if (locale !== undefined && locales.length > 0 && !locales.includes(locale)) {
    throw new InputError({ code: 'decidim-locale-missing', file: name, locale, locales });
  }
  return listColumns(header);
}

function listColumns(header: readonly string[]): Columns {
  return {
    title: listTranslations(header, 'title'),
    body: listTranslations(header, 'body'),
    answer: listTranslations(header, 'answer'),
    topics: [...listTaxonomies(header), listTranslations(header, 'category/name')],
    supports: [
      'votes',
      'supports',
      'endorsements/total_count',
      'likes/total_count',
      'endorsements_count',
    ].find((column) => header.includes(column)),
  };
}

/**
 * The columns are `taxonomies/12/en` for each taxonomy and locale, or one column for all names. Sorted by id, because the
 * order of the columns differs between exports.
 */
function listTaxonomies(header: readonly string[]): Translation[][] {
  const ids = header
    .map((column) => /^taxonomies\/(\d+)(?:\/|$)/.exec(column)?.[1])
    .filter((id) => id !== undefined);
  const sortedIds = [...new Set(ids)].sort((a, b) => Number(a) - Number(b));
  return [
    ...sortedIds.map((id) => listTranslations(header, `taxonomies/${id}`)),
    listTranslations(header, 'taxonomies/name'),
    listTranslations(header, 'taxonomies'),
  ];
}

/** @returns the first text in a preferred locale, else the first text */
function findTranslation(
  cells: Proposal['cells'],
  translations: readonly Translation[],
  preferred: readonly (string | undefined)[],
): { locale: string | undefined; text: string; cell: string } | undefined {
  const matching = preferred.flatMap((locale) =>
    translations.filter((each) => locale !== undefined && each.locale === locale),
  );
  for (const { locale, column } of [...matching, ...translations]) {
    // Decidim escapes the start of a spreadsheet formula with an apostrophe.
    const cell = cells[column] ?? '';
    const text = cell.trim().replace(/^'(?=[=+@-])/, '');
    if (text) return { locale, text, cell };
  }
  return undefined;
}

/** Parses a name, or the first of several Ruby hashes with translations: `{"ca"=>"Salut"}, {…}`. */
function parseTopicName(text: string, locale: string | undefined): string | undefined {
  if (!text.startsWith('{')) return text;
  const [first = ''] = text.split('}', 1);
  const names = new Map(
    [...first.matchAll(/"([^"]+)"\s*(?:=>|:)\s*"((?:[^"\\]|\\.)*)"/g)].map(([, key = '', name = '']) => [
      key,
      name.replace(/\\(.)/g, '$1').trim(),
    ]),
  );
  return names.get(locale ?? '') || [...names.values()].find((name) => name !== '');
}

/** @returns undefined for a custom state that the user's table lacks */
function getStatus(cells: Proposal['cells'], options: FormatOptions): string | undefined {
  if (isWithdrawn(cells)) return 'withdrawn';
  if (hasUnpublishedAnswer(cells)) return 'submitted';
  return findStatus(cells.state ?? '', statuses, options);
}

/**
 * Decidim shows a state and its answer from the publication of the answer on. Until then `state` is empty, also in releases without
 * `state_published_at`. Amendments have a state without an answer.
 */
const hasUnpublishedAnswer = ({
  state,
  state_published_at: publishedAt,
  answered_at: at,
}: Proposal['cells']): boolean => !state?.trim() || (publishedAt?.trim() === '' && Boolean(at?.trim()));

/** Later releases have the time only. */
const isWithdrawn = ({ withdrawn, withdrawn_at: at }: Proposal['cells']) =>
  isMarked(withdrawn) || isMarked(at);

function findTime(
  cells: Proposal['cells'],
  columns: readonly string[],
  options: FormatReadOptions,
): string | undefined {
  const column = columns.find((name) => (cells[name] ?? '').trim() !== '');
  return column === undefined ? undefined : parseProposalTime(column, cells[column] as string, options);
}
