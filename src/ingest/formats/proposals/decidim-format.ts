import Type from 'typebox';
import { createStatusesOption, pageUrl, sheet } from '../../format-options.ts';
import { liveSourceOptions } from '../../presets/presets.ts';
import { type Format, tableExtensions } from '../format-definition.ts';

const localePattern = '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$';
const isLocale = new RegExp(localePattern);

/** Describes the import of proposals of Decidim, from its exports, its open data and its API. */
export const decidim: Format = {
  name: 'decidim',
  description: 'Decidim: proposals as CSV, from its open data or the admin area',
  fileExtensions: tableExtensions,
  options: {
    locale: {
      schema: Type.String({ pattern: localePattern }),
      value: 'code',
      description: 'preferred language of titles and texts, such as ca',
      invalid: { code: 'option-not-locale' },
    },
    statuses: createStatusesOption(),
    pageUrl,
    sheet,
  },
  endpointOptions: liveSourceOptions,
  hasLocations: true,
  detect: ({ table, json }) => {
    if (isProposalOfApi(json)) return { code: 'has-property', name: 'translations' };
    const header = table?.header ?? [];
    const space = ['participatory_space/id', 'component/id', 'feature/id'].find((name) =>
      header.includes(name),
    );
    return findMissingColumn(header) === undefined && space !== undefined
      ? { code: 'decidim-columns', name: space }
      : undefined;
  },
  load: () => import('./decidim-reader.ts'),
};

function isProposalOfApi(value: unknown): boolean {
  const { title, body } = (value ?? {}) as Record<string, { translations?: unknown } | null | undefined>;
  return [title, body].every((text) => Array.isArray(text?.translations));
}

/** The column of a text in one locale. */
export interface Translation {
  /** undefined: the text has no translations. */
  locale: string | undefined;
  column: string;
}

/** Distinguishes proposals from the tables of meetings, debates and posts in Decidim's open data. */
export function findMissingColumn(header: readonly string[]): string | undefined {
  if (!header.includes('id')) return 'id';
  const text = ['title', 'body'].find((name) => listTranslations(header, name).length === 0);
  if (text !== undefined) return text;
  return ['state', 'votes', 'supports'].some((name) => header.includes(name)) ? undefined : 'state';
}

/** Skips machine translations, such as `title/machine_translations/es`. */
export function listTranslations(header: readonly string[], name: string): Translation[] {
  return header.flatMap((column): Translation[] => {
    if (column === name) return [{ locale: undefined, column }];
    const locale = column.startsWith(`${name}/`) ? column.slice(name.length + 1) : '';
    return isLocale.test(locale) ? [{ locale, column }] : [];
  });
}
