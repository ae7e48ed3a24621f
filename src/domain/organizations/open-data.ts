/** Published data without a key, below `/open/{slug}`. */

/** Where a municipality publishes to everyone. */
export interface OpenDataAddress {
  organizationId: string;
  slug: string;
}

export interface OpenDataset extends OpenDataAddress {
  /** See `PublishedDatasetStore.findDatasetVersion`. */
  version: string;
}

export const switchStates = ['on', 'off'] as const;

export type SwitchState = (typeof switchStates)[number];

/** Of a new municipality: the default of the columns of open data and approvals. */
export const defaultSwitch: SwitchState = 'off';

export const parseSwitch = (text: string): SwitchState | undefined =>
  switchStates.find((state) => state === text.toLowerCase());

export const slugLength = { min: 2, max: 60 };

export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$';

/** Below /open, pages and files of the installation have these names, or may get them. */
export const reservedSlugs: readonly string[] = [
  'admin',
  'api',
  'assets',
  'catalog',
  'feed',
  'new',
  'open',
  'robots',
  'search',
];

/** @returns undefined for a text that cannot be part of an address, and for a reserved word */
export function parseSlug(text: string): string | undefined {
  const slug = text.toLowerCase();
  const fits = slug.length >= slugLength.min && slug.length <= slugLength.max;
  return fits && new RegExp(slugPattern).test(slug) && !reservedSlugs.includes(slug) ? slug : undefined;
}

/** Words before the name of a city. A district (`Landkreis Karlsruhe`) has another name than its city. */
const legalPrefix =
  /^(?:freie (?:und )?hansestadt|große kreisstadt|landeshauptstadt|bundesstadt|hansestadt|kreisstadt|stadt|gemeinde|(?:city|town) of)\s+/i;

/** As they are transcribed; other letters only lose their accents. */
const transcriptions: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  ł: 'l',
};

/** @returns a slug such as `lindenau-am-see` for the name of a municipality; empty if none can be derived */
export function suggestSlug(name: string): string {
  const letters = name.normalize('NFC').trim().replace(legalPrefix, '').toLowerCase();
  const transcribed = letters.replace(/[äöüßæøł]/g, (letter) => transcriptions[letter] ?? '');
  const words =
    transcribed
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .match(/[a-z0-9]+/g) ?? [];
  return parseSlug(words.join('-').slice(0, slugLength.max).replace(/-$/, '')) ?? '';
}

interface OpenDataFields {
  openData: string | null;
  slug: string | null;
  licenseName: string | null;
  licenseUrl: string | null;
}

/** What open data cannot be on without. */
type OpenDataRequirement = 'license' | 'slug';

/** Sentences for commands and files. */
export const openDataProblems: Readonly<Record<OpenDataRequirement, string>> = {
  license:
    'Open data needs a licence, so that others know how they may use it. Set the name or the address of the licence first, or together with open data.',
  slug: 'Open data needs a slug, the part of its address after /open/. Set a slug first, or together with open data, or switch open data off.',
};

export const describeTakenSlug = (slug: string): string =>
  `The slug ${slug} is or was another municipality's, and is never given to another one. Choose another slug.`;

export const hasLicense = ({ licenseName, licenseUrl }: Omit<OpenDataFields, 'openData' | 'slug'>): boolean =>
  (licenseName ?? licenseUrl) !== null;

/** Changes that remove the licence switch open data off, unless they switch it on. Other gaps are problems. */
export function findOpenDataProblem(
  before: OpenDataFields,
  changes: Partial<OpenDataFields>,
): OpenDataRequirement | undefined {
  const after = { ...before, ...changes };
  if (after.openData !== 'on') return undefined;
  if (!hasLicense(after)) return changes.openData === 'on' ? 'license' : undefined;
  return after.slug === null ? 'slug' : undefined;
}
