/**
 * Proposals of Decidim as CSV, from its open data or the admin area. A nested value has one column for each of
 * its parts, joined by slashes (`title/ca`); which columns there are depends on Decidim's version.
 */

import { InvalidFieldError } from '../../field-validation.ts';
import { applyRules, type FieldRule, type Format, type FormatReadOptions } from '../../format-definition.ts';
import { convertMarkupLine } from '../../html-to-text.ts';
import type { ImportObserver } from '../../import-observer.ts';
import { parseRecord, toImportRecord } from '../../parse-record.ts';
import { InputError, type ParsedRecord } from '../../parsed-record.ts';
import { readTable } from '../../readers/delimited.ts';
import { type InputFile, readInputFile, tableExtensions } from '../../readers/input-files.ts';
import { joinTitleAndText, parseProposalTime, parseSupportCount } from './proposal-fields.ts';

/** The columns of a text in each of its locales; of one without translations a single column. */
interface Translation {
  locale: string | undefined;
  column: string;
}

interface Columns {
  title: readonly Translation[];
  body: readonly Translation[];
  /** In the order in which a proposal's first topic is looked for. */
  topics: readonly (readonly Translation[])[];
  supports: string | undefined;
}

interface Proposal {
  cells: Readonly<Record<string, string>>;
  columns: Columns;
}

interface Context {
  timeZone: string | undefined;
  /** Preferred to the others. */
  locale: string | undefined;
  observer: ImportObserver;
}

const statuses = new Map([
  ['accepted', 'accepted'],
  ['rejected', 'rejected'],
  ['evaluating', 'in_review'],
  ['withdrawn', 'withdrawn'],
  ['not_answered', 'submitted'],
  ['', 'submitted'],
]);

/** A state that a municipality has added is given with an answer, so somebody looks into the proposal. */
const unknownStatus = 'in_review';

const rules: readonly FieldRule<Proposal, Context>[] = [
  { field: 'id', from: '`id`', extract: ({ cells }) => cells.id?.trim() || undefined },
  {
    field: 'referenceNumber',
    from: '`reference`',
    extract: ({ cells }) => cells.reference?.trim() || undefined,
  },
  {
    field: 'description',
    from: '`title`, blank line, `body`, as plain text: of --locale, else of the first locale with a title',
    extract: ({ cells, columns }, { locale }) => {
      const title = translated(cells, columns.title, [locale]);
      const body = translated(cells, columns.body, [title?.locale, locale]);
      return joinTitleAndText(title?.text, body?.text);
    },
  },
  {
    field: 'status',
    from: '`withdrawn`, else `state`: accepted, rejected, withdrawn; evaluating is in_review; not_answered and none are submitted',
    extract: ({ cells }, { observer }) => {
      const status = statusOf(cells);
      if (status === undefined) observer.onUnmappedValue?.(cells.state as string, unknownStatus);
      return status ?? unknownStatus;
    },
  },
  {
    field: 'statusChangedAt',
    from: '`withdrawn_at` of what is withdrawn; else `state_published_at`, else `answered_at`; of what is submitted `createdAt`',
    extract: ({ cells }, { timeZone }) => {
      const status = statusOf(cells);
      // An answer that is not published yet has a date, and has changed nothing.
      if (status === 'submitted') return undefined;
      const names = ['state_published_at', 'answered_at'];
      return firstTime(cells, status === 'withdrawn' ? ['withdrawn_at', ...names] : names, timeZone);
    },
  },
  {
    field: 'topicCategoryName',
    from: 'first of `taxonomies`, else `category/name`, in the locale as above',
    extract: ({ cells, columns }, { locale }) => {
      const title = translated(cells, columns.title, [locale]);
      for (const topic of columns.topics) {
        const name = translated(cells, topic, [locale, title?.locale])?.text;
        if (name !== undefined)
          return convertMarkupLine(rubyName(name, locale ?? title?.locale) ?? '') || undefined;
      }
      return undefined;
    },
  },
  {
    field: 'supportCount',
    from: '`votes`, else `supports`, else `endorsements/total_count` (later `likes/total_count`); 0 where it is hidden',
    extract: ({ cells, columns: { supports: column } }) =>
      column === undefined ? undefined : parseSupportCount(column, cells[column] ?? ''),
  },
  {
    field: 'hasAttachments',
    from: '`attachments` above 0',
    extract: ({ cells }) => !/^0*$/.test((cells.attachments ?? '').trim()),
  },
  {
    field: 'createdAt',
    from: '`published_at`, else `created_at`',
    extract: ({ cells }, { timeZone }) => {
      const time = firstTime(cells, ['published_at', 'created_at'], timeZone);
      if (time === undefined) throw new InvalidFieldError('published_at and created_at are missing');
      return time;
    },
  },
];

export const decidim: Format = {
  name: 'decidim',
  fileExtensions: tableExtensions,
  description: 'Decidim: proposals as CSV, from its open data or the admin area',
  mappings: [{ kind: 'submission', fieldSources: rules }],
  omitted:
    'Authors, endorsements by name, followers, addresses, coordinates, answers and everything else stay where they are.',
  options: [
    {
      flags: '--locale <code>',
      description: 'language of titles and texts where there are several, such as ca',
      parse: (text) => {
        if (isLocale.test(text)) return text;
        throw new InputError('It must be a locale such as ca or pt-BR.');
      },
    },
  ],
  detect: ({ table }) => {
    const header = table?.header ?? [];
    const space = ['participatory_space/id', 'component/id', 'feature/id'].find((name) =>
      header.includes(name),
    );
    return missingColumn(header) === undefined && space !== undefined
      ? `its columns are those of Decidim's proposals, as ${space}`
      : undefined;
  },
  readRecords: readDecidim,
};

async function* readDecidim(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const { timeZone, observer, formatOptions } = options;
  const context = { timeZone, observer, locale: formatOptions.locale as string | undefined };
  for (const source of sources) {
    let columns: Columns | undefined;
    const rows = readTable(source.name, readInputFile(source, options), {}, (header = []) => {
      columns = columnsOf(source.name, header, context.locale);
    });
    for await (const { location, cells, problem } of rows) {
      if (cells === undefined || columns === undefined)
        yield { location, rejectionReason: problem as string };
      else {
        const proposal = { cells, columns };
        yield parseRecord(location, cells.id, () =>
          toImportRecord('submission', applyRules(rules, proposal, context), options),
        );
      }
    }
  }
}

/** @throws InputError when these are not proposals, or not in the locale that was asked for */
function columnsOf(name: string, header: readonly string[], locale: string | undefined): Columns {
  const missing = missingColumn(header);
  if (missing !== undefined) {
    throw new InputError(
      `${name} is no table of Decidim's proposals: its first line names no column "${missing}". "rostra import detect" tells which format a file is of.`,
    );
  }
  const title = translations(header, 'title');
  const locales = title.flatMap((translation) => translation.locale ?? []);
  if (locale !== undefined && locales.length > 0 && !locales.includes(locale)) {
    throw new InputError(`${name} has no titles in "${locale}": its locales are ${locales.join(', ')}.`);
  }
  return {
    title,
    body: translations(header, 'body'),
    topics: [...taxonomies(header), translations(header, 'category/name')],
    supports: [
      'votes',
      'supports',
      'endorsements/total_count',
      'likes/total_count',
      'endorsements_count',
    ].find((column) => header.includes(column)),
  };
}

/** Its open data has tables of meetings, debates and posts too, which lack one of these. */
function missingColumn(header: readonly string[]): string | undefined {
  if (!header.includes('id')) return 'id';
  const text = ['title', 'body'].find((name) => translations(header, name).length === 0);
  if (text !== undefined) return text;
  return ['state', 'votes', 'supports'].some((name) => header.includes(name)) ? undefined : 'state';
}

const isLocale = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** Machine translations, `title/machine_translations/es`, are nobody's words and no translations here. */
function translations(header: readonly string[], name: string): Translation[] {
  return header.flatMap((column): Translation[] => {
    if (column === name) return [{ locale: undefined, column }];
    const locale = column.startsWith(`${name}/`) ? column.slice(name.length + 1) : '';
    return isLocale.test(locale) ? [{ locale, column }] : [];
  });
}

/**
 * `taxonomies/12/en` for each taxonomy and locale, or one column with the names of all. The lowest id comes
 * first, as the order of the columns is another one in each export.
 */
function taxonomies(header: readonly string[]): Translation[][] {
  const ids = header
    .map((column) => /^taxonomies\/(\d+)(?:\/|$)/.exec(column)?.[1])
    .filter((id) => id !== undefined);
  const byId = [...new Set(ids)].sort((a, b) => Number(a) - Number(b));
  return [
    ...byId.map((id) => translations(header, `taxonomies/${id}`)),
    translations(header, 'taxonomies/name'),
    translations(header, 'taxonomies'),
  ];
}

/** The text in the first of the preferred locales that has one, else in the first that has. */
function translated(
  cells: Proposal['cells'],
  among: readonly Translation[],
  preferred: readonly (string | undefined)[],
): { locale: string | undefined; text: string } | undefined {
  const wanted = preferred.flatMap((locale) =>
    among.filter((each) => locale !== undefined && each.locale === locale),
  );
  for (const { locale, column } of [...wanted, ...among]) {
    // Decidim puts an apostrophe before what a spreadsheet would take for a formula.
    const text = cells[column]?.trim().replace(/^'(?=[=+@-])/, '');
    if (text) return { locale, text };
  }
  return undefined;
}

/** A name, also the first of those that Ruby has written with their translations: `{"ca"=>"Salut"}, {…}`. */
function rubyName(text: string, locale: string | undefined): string | undefined {
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

/** undefined: a state that is not Decidim's own. */
function statusOf({ withdrawn, state }: Proposal['cells']): string | undefined {
  if (withdrawn?.trim().toLowerCase() === 'true') return 'withdrawn';
  return statuses.get((state ?? '').trim().toLowerCase());
}

function firstTime(
  cells: Proposal['cells'],
  columns: readonly string[],
  timeZone: string | undefined,
): string | undefined {
  const column = columns.find((name) => (cells[name] ?? '').trim() !== '');
  return column === undefined ? undefined : parseProposalTime(column, cells[column] as string, timeZone);
}
