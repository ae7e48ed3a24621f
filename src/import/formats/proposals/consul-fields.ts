/** How CONSUL's names and words become ours, whatever file they come from. */
import { recommendedValues } from '../../../contract/field-schemas.ts';
import { InvalidFieldError } from '../../field-validation.ts';
import type { FieldRule } from '../../format-definition.ts';
import { convertMarkupLine } from '../../html-to-text.ts';
import type { ImportObserver } from '../../import-observer.ts';
import { joinTitleAndText, parseProposalTime, parseSupportCount } from './proposal-fields.ts';

/**
 * What each value is called: by CONSUL in its CSV and JSON, by those who publish it, and in German and Spanish
 * admin areas. Spelt as `plainName` does. The first that has a value counts.
 */
export const names = {
  id: ['id'],
  code: ['code', 'codigo'],
  title: ['title', 'titel', 'titulo'],
  summary: ['summary', 'zusammenfassung', 'resumen'],
  description: ['description', 'beschreibung', 'descripcion'],
  supports: [
    ...['numsupports', 'cachedvotesup', 'totalvotes', 'supports', 'votes'],
    ...['unterstutzungen', 'stimmen', 'apoyos', 'votos'],
  ],
  createdAt: [
    ...['date', 'publiccreatedat', 'publishedat', 'createdat'],
    ...['datum', 'veroffentlichtam', 'erstelltam', 'erstellungsdatum'],
    ...['fecha', 'fechadepublicacion', 'fechadecreacion', 'creadoel', 'creada'],
  ],
  retiredAt: ['retiredat'],
  hiddenAt: ['hiddenat'],
  status: ['status', 'estado'],
  geozone: ['geozone', 'bezirk', 'distrito', 'ambitodeactuacion'],
  tags: ['tags', 'taglist', 'themen', 'temas', 'etiquetas'],
} as const;

export type Name = keyof typeof names;

const known: ReadonlySet<string> = new Set(Object.values(names).flat());

export interface Value {
  /** As the source spells it. */
  name: string;
  text: string;
}

/** Values under their names as `plainName` spells them; none but those that are known. */
export type Proposal = ReadonlyMap<string, Value>;

interface Context {
  timeZone: string | undefined;
  observer: ImportObserver;
}

const statuses = new Map([
  ...recommendedValues.submissionStatus.map((word): [string, string] => [word, word]),
  ['', 'submitted'],
  ['published', 'submitted'],
  ['retired', 'withdrawn'],
]);

export const consulRules: readonly FieldRule<Proposal, Context>[] = [
  { field: 'id', from: '`id`', extract: (proposal) => getValue(proposal, 'id')?.text },
  { field: 'referenceNumber', from: '`code`', extract: (proposal) => getValue(proposal, 'code')?.text },
  {
    field: 'description',
    from: '`title`, blank line, `summary`, else `description`, as plain text',
    extract: (proposal) => {
      const text = getValue(proposal, 'summary') ?? getValue(proposal, 'description');
      return joinTitleAndText(getValue(proposal, 'title')?.text, text?.text);
    },
  },
  {
    field: 'status',
    from: 'withdrawn where there is `retired_at`, else `status`: our own words; published and none are submitted',
    extract: (proposal, { observer }) => {
      if (getValue(proposal, 'retiredAt') !== undefined) return 'withdrawn';
      const word = getValue(proposal, 'status')?.text ?? '';
      const status = statuses.get(word.toLowerCase());
      if (status === undefined) observer.onUnmappedValue?.(word, 'submitted');
      return status ?? 'submitted';
    },
  },
  {
    field: 'statusChangedAt',
    from: '`retired_at`, else `createdAt`',
    extract: (proposal, { timeZone }) => timeOf(proposal, 'retiredAt', timeZone),
  },
  {
    field: 'topicCategoryName',
    from: '`geozone`, else the first of `tags`',
    extract: (proposal) => {
      const [tag = ''] = (getValue(proposal, 'tags')?.text ?? '').split(/[,;]/, 1);
      // A table can have a dash where there is none.
      const topics = [getValue(proposal, 'geozone')?.text ?? '', tag].map(convertMarkupLine);
      return topics.find((topic) => topic !== '' && topic !== '-');
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
    extract: (proposal, { timeZone }) => {
      const time = timeOf(proposal, 'createdAt', timeZone);
      if (time === undefined) throw new InvalidFieldError('the date is missing, such as created_at');
      return time;
    },
  },
];

/** `Created at`, `created_at` and `createdAt` are one name, with accents or without. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** undefined: nothing that is known here. */
export function toKnownName(name: string): string | undefined {
  const plain = normalizeName(name);
  return known.has(plain) ? plain : undefined;
}

/** The first that is not empty. */
export function getValue(proposal: Proposal, of: Name): Value | undefined {
  for (const name of names[of]) {
    const value = proposal.get(name);
    const text = value?.text.trim();
    if (value && text) return { name: value.name, text };
  }
  return undefined;
}

function timeOf(proposal: Proposal, of: Name, timeZone: string | undefined): string | undefined {
  const value = getValue(proposal, of);
  return value && parseProposalTime(value.name, value.text, timeZone);
}
