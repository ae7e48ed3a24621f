/** Countries, time zones and languages to choose from, in the language of the reader. */
import { setImmediate } from 'node:timers/promises';
import { languages } from '../../domain/published-words.ts';
import type { PageContext } from '../page-context.ts';
import type { Choice } from './components.ts';

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

export const listCountries = async (context: PageContext): Promise<Choice[]> =>
  nameAll((await listCountryZones()).keys(), 'region', context);

/** Languages of words in published data. */
export const listLanguages = (context: PageContext): Choice[] => nameAll(languages, 'language', context);

/** A zone has the name of its country, and that of its city if the country has several. */
export async function listTimeZones(context: PageContext): Promise<Choice[]> {
  const zonesOf = await listCountryZones();
  const choices = nameAll(zonesOf.keys(), 'region', context).flatMap(({ value: country, text }) => {
    const zones = zonesOf.get(country) ?? [];
    return zones.map((value) => ({ value, text: zones.length > 1 ? `${text} – ${parseCity(value)}` : text }));
  });
  return [...choices, { value: 'UTC', text: `${nameUtc(context)} (UTC)` }];
}

/** `America/Argentina/Buenos_Aires` → `Buenos Aires` */
const parseCity = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

const nameUtc = ({ language }: PageContext): string | undefined =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', timeZoneName: 'long' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value;

/** The command line accepts other names of a zone, such as Europe/Kyiv, which are shown unchanged. */
export const describeTimeZone = async (zone: string, context: PageContext): Promise<string> =>
  (await listTimeZones(context)).find(({ value }) => value === zone)?.text ?? zone;

/** The stored or entered value comes first if it is no choice. */
export const addChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  choices.some(({ value }) => value === chosen) ? choices : [{ value: chosen, text: chosen }, ...choices];
