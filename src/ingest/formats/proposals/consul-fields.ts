/** Maps the fields of CONSUL proposals, from CSV or JSON, to those of submissions. */
import { recommendedValues } from '../../../contract/field-schemas.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { composePageUrl } from '../../format-options.ts';
import { convertMarkupLine } from '../../records/html-to-text.ts';
import { reportMapped, reportStatus } from '../../records/import-observer.ts';
import { readCoordinates } from '../../records/locations/read-point.ts';
import { findStatus as findKnownStatus } from '../../records/vocabulary/vocabulary.ts';
import { findStatus } from '../custom-statuses.ts';
import type { FieldRule, FormatReadOptions } from '../format-definition.ts';
import { type Name, names, normalizeName } from './consul-format.ts';
import { joinTitleAndText, parseProposalTime, parseSupportCount } from './proposal-fields.ts';

const known: ReadonlySet<string> = new Set(Object.values(names).flat());

export interface Value {
  /** In the spelling of the source. */
  name: string;
  text: string;
}

/** Values by normalized name. Unknown names are skipped. */
export type Proposal = ReadonlyMap<string, Value>;

const statuses = new Map([
  ...recommendedValues.submissionStatus.map((word): [string, string] => [word, word]),
  ['', 'submitted'],
  ...['published', 'veröffentlicht', 'publicado', 'publicada'].map((word): [string, string] => [
    word,
    'submitted',
  ]),
  ['retired', 'withdrawn'],
]);

export const consulRules: readonly FieldRule<Proposal, FormatReadOptions>[] = [
  { field: 'id', from: '`id`', extract: (proposal) => getValue(proposal, 'id')?.text },
  { field: 'referenceNumber', from: '`code`', extract: (proposal) => getValue(proposal, 'code')?.text },
  {
    field: 'description',
    from: '`title`, blank line, `summary`, else `description`, as plain text',
    extract: (proposal, { observer }) => {
      const [summary, text] = [getValue(proposal, 'summary'), getValue(proposal, 'description')];
      if (summary && text) observer.onLeftOut?.(text.name, summary.name);
      return joinTitleAndText(getValue(proposal, 'title')?.text, (summary ?? text)?.text);
    },
  },
  {
    field: 'status',
    from: 'withdrawn if `retired_at` is filled, else `status`: Rostra’s own words, and words of several languages such as “angenommen”; submitted for published, if unknown or if empty',
    extract: (proposal, { observer, formatOptions }) => {
      if (getValue(proposal, 'retiredAt') !== undefined) return 'withdrawn';
      const { text, cell } = getValue(proposal, 'status') ?? { text: '', cell: '' };
      const status = findStatus(text, statuses, formatOptions) ?? findKnownStatus(text, 'status');
      const value = status === undefined ? text : cell;
      return reportStatus(observer, status, { fallback: 'submitted', value, statusWord: text });
    },
  },
  {
    field: 'sourceStatus',
    from: '`status`, unchanged; none if `retired_at` is filled',
    extract: (proposal) =>
      getValue(proposal, 'retiredAt') === undefined
        ? convertMarkupLine(getValue(proposal, 'status')?.text ?? '')
        : undefined,
  },
  {
    field: 'statusChangedAt',
    from: '`retired_at`, else `createdAt`',
    extract: (proposal, options) => parseTime(proposal, 'retiredAt', options),
  },
  {
    field: 'topicCategoryName',
    from: 'first of `tags`, else `geozone`',
    extract: (proposal, { observer }) => {
      const tags = getValue(proposal, 'tags')?.cell ?? '';
      const geozone = getValue(proposal, 'geozone')?.cell ?? '';
      const [tag = ''] = tags.trim().split(/[,;]/, 1);
      const topics = [
        { cell: tags, topic: convertMarkupLine(tag) },
        { cell: geozone, topic: convertMarkupLine(geozone.trim()) },
      ];
      // Tables can have a dash instead of an empty cell.
      const found = topics.find(({ topic }) => topic !== '' && topic !== '-');
      return found && reportMapped(observer, 'topicCategoryName', found.cell, found.topic);
    },
  },
  {
    field: 'supportCount',
    from: '`numSupports`, `cached_votes_up`, `supports` or `votes`',
    extract: (proposal) => {
      const value = getValue(proposal, 'supports');
      return value && parseSupportCount(value.name, value.text);
    },
  },
  {
    field: 'createdAt',
    from: '`date`, `public_created_at`, `published_at` or `created_at`',
    extract: (proposal, options) => {
      const time = parseTime(proposal, 'createdAt', options);
      if (time === undefined) throw new InvalidFieldError({ code: 'proposal-date-missing' });
      return time;
    },
  },
  {
    field: 'location',
    from: '`latitude` and `longitude`, else those of `map_location`',
    extract: (proposal, options) =>
      readCoordinates([getValue(proposal, 'latitude')?.text, getValue(proposal, 'longitude')?.text], options),
  },
  {
    field: 'title',
    from: '`title`',
    extract: (proposal) => convertMarkupLine(getValue(proposal, 'title')?.text ?? ''),
  },
  {
    field: 'sourceUrl',
    from: '--page-url with the `id`',
    extract: (proposal, { formatOptions }) => composePageUrl(formatOptions, getValue(proposal, 'id')?.text),
  },
];

/** @returns the normalized name; undefined for an unknown name */
export function toKnownName(name: string): string | undefined {
  const normalized = normalizeName(name);
  return known.has(normalized) ? normalized : undefined;
}

/** @returns the first value that is not empty: `cell` with the blanks around `text` */
export function getValue(proposal: Proposal, key: Name): (Value & { cell: string }) | undefined {
  for (const name of names[key]) {
    const value = proposal.get(name);
    const text = value?.text.trim();
    if (value && text) return { name: value.name, text, cell: value.text };
  }
  return undefined;
}

function parseTime(proposal: Proposal, key: Name, options: FormatReadOptions): string | undefined {
  const value = getValue(proposal, key);
  return value && parseProposalTime(value.name, value.text, options);
}
