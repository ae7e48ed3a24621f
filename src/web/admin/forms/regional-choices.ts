/** Countries, time zones and languages to choose from, in the language of the reader. */
import { setImmediate } from 'node:timers/promises';
import { languages } from '../../../domain/organizations/placeholder-words.ts';
import type { Language } from '../../messages/languages.ts';
import type { Choice } from '../../ui/components.ts';
import type { PageContext } from '../requests/page-context.ts';

/** Time zones by ISO 3166 code of a country. */
type Countries = ReadonlyMap<string, readonly string[]>;

let countries: Promise<Countries> | undefined;

/** Intl takes 0.2 seconds for all countries, so requests of the API run in between, and each process reads them once. */
async function readCountries(): Promise<Countries> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const found = new Map<string, string[]>();
  for (const first of letters) {
    await setImmediate();
    for (const second of letters) {
      const locale = new Intl.Locale('und', { region: first + second });
      // Codes of former countries are aliases of present ones.
      const zones = locale.region === first + second ? locale.getTimeZones() : undefined;
      if (zones?.length) found.set(first + second, zones);
    }
  }
  return found;
}

const listCountryZones = (): Promise<Countries> => {
  countries ??= readCountries();
  return countries;
};

const sortChoices = (choices: Choice[], { language }: PageContext): Choice[] => {
  const { compare } = new Intl.Collator(language);
  return choices.sort((one, other) => compare(one.text, other.text));
};

const nameAll = (codes: Iterable<string>, type: 'region' | 'language', context: PageContext): Choice[] => {
  const names = new Intl.DisplayNames(context.language, { type });
  return sortChoices(
    [...codes].map((value) => ({ value, text: names.of(value) ?? value })),
    context,
  );
};

const nameCode =
  (type: 'region' | 'language') =>
  (code: string, { language }: PageContext): string =>
    new Intl.DisplayNames(language, { type }).of(code) ?? code;

export const nameRegion = nameCode('region');
export const nameLanguage = nameCode('language');

export const listCountries = async (context: PageContext): Promise<Choice[]> =>
  nameAll((await listCountryZones()).keys(), 'region', context);

/** Languages of words in published data. */
export const listLanguages = (context: PageContext): Choice[] => nameAll(languages, 'language', context);

const timeZones = new Map<string, Promise<Choice[]>>();

/** A zone has the name of its country, and that of its city if the country has several. */
export const listTimeZones = (context: PageContext): Promise<Choice[]> =>
  timeZones.getOrInsertComputed(context.language, () => nameTimeZones(context));

/** Intl takes 50 milliseconds for the cities, so it names them once, with pauses. */
async function nameTimeZones(context: PageContext): Promise<Choice[]> {
  const zonesOf = await listCountryZones();
  const choices: Choice[] = [];
  for (const { value: country, text } of nameAll(zonesOf.keys(), 'region', context)) {
    const zones = zonesOf.get(country) ?? [];
    if (zones.length > 1) await setImmediate();
    const describe = (zone: string) =>
      zones.length > 1 ? `${text} – ${nameCity(zone, text, context)}` : text;
    const named = zones.map((value) => ({ value, text: describe(value) }));
    choices.push(...sortChoices(named, context));
  }
  return [...choices, { value: 'UTC', text: `${nameZone('UTC', context.language, 'long')} (UTC)` }];
}

/** Names of cities and islands in the names of zones. */
const cityPatterns = { de: /^(.+) \(Ortszeit\)$/, en: /^(.+) Time$/ } as const satisfies Record<
  Language,
  RegExp
>;

/** Intl has only the abbreviations of these zones, and their ids have former or English names. */
const cityNames: Readonly<Record<string, Record<Language, string>>> = {
  'Asia/Nicosia': { de: 'Nikosia', en: 'Nicosia' },
  'Atlantic/Canary': { de: 'Kanarische Inseln', en: 'Canary Islands' },
  'Europe/Kiev': { de: 'Kyjiw', en: 'Kyiv' },
  'Europe/Lisbon': { de: 'Lissabon', en: 'Lisbon' },
};

/** `America/Sao_Paulo` → `São Paulo`. Intl names the main zone of a country after the country. */
function nameCity(zone: string, country: string, { language }: PageContext): string {
  const known = cityNames[zone]?.[language];
  if (known !== undefined) return known;
  const city = cityPatterns[language].exec(nameZone(zone, language))?.[1];
  if (city !== undefined && city !== country) return city;
  const english = cityPatterns.en.exec(nameZone(zone, 'en'))?.[1] ?? '';
  const plain = zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  const withoutAccents = english.normalize('NFD').replace(/\p{M}/gu, '');
  return withoutAccents === plain ? english : plain;
}

const nameZone = (
  timeZone: string,
  language: Language,
  timeZoneName: 'shortGeneric' | 'long' = 'shortGeneric',
): string =>
  new Intl.DateTimeFormat(language, { timeZone, timeZoneName })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** The command line accepts other names of a zone, such as Europe/Kyiv, which are shown unchanged. */
export const describeTimeZone = async (zone: string, context: PageContext): Promise<string> =>
  (await listTimeZones(context)).find(({ value }) => value === zone)?.text ?? zone;

/** The stored or entered value comes first if it is no choice. */
export const addChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  choices.some(({ value }) => value === chosen) ? choices : [{ value: chosen, text: chosen }, ...choices];
