/** Lindenau am See: a town by a lake, with a council that meets often. */
import { readAsset, readTextAsset } from '../../assets/assets.ts';
import type { MunicipalityProfile } from '../municipality-profile.ts';

export const lindenau: MunicipalityProfile = {
  id: '7c1f3d52-6b0e-4d4a-9a53-2f0d6c8e1b47',
  name: 'Stadt Lindenau am See',
  organization: {
    timeZone: 'Europe/Berlin',
    language: 'de',
    country: 'DE',
    licenseName: 'CC-BY-4.0',
    licenseUrl: 'https://creativecommons.org/licenses/by/4.0/',
    contactName: 'Stabsstelle Offene Daten',
    contactEmail: 'offene-daten@lindenau.example',
    contactUrl: 'https://www.lindenau.example/offene-daten',
    attribution: 'Daten: Stadt Lindenau am See, CC BY 4.0',
  },
  readLogo: () => readAsset('src/demo/german/coat-of-arms.png'),
  seed: 20_261_101,
  texts: JSON.parse(readTextAsset('src/demo/german/texts.json')),
  // The council is last, because a committee discusses a submission before the council does.
  committees: [
    {
      name: 'Ausschuss für Mobilität und Verkehr',
      slug: 'mobilitaet',
      topics: ['Straßenverkehr', 'Radverkehr', 'Bus und Bahn'],
      intervalWeeks: 4,
      weekday: 2,
      startTime: '16:30',
    },
    {
      name: 'Bau- und Planungsausschuss',
      slug: 'bau',
      topics: ['Bauen und Wohnen', 'Klima und Energie'],
      intervalWeeks: 4,
      weekday: 2,
      startTime: '17:00',
    },
    {
      name: 'Ausschuss für Umwelt und Stadtgrün',
      slug: 'umwelt',
      topics: ['Grünflächen und Bäume', 'Sauberkeit und Abfall', 'See und Ufer'],
      intervalWeeks: 5,
      weekday: 3,
      startTime: '16:00',
    },
    {
      name: 'Ausschuss für Jugend und Soziales',
      slug: 'jugend-soziales',
      topics: ['Schulen und Kitas', 'Kinder und Jugend', 'Soziales und Inklusion'],
      intervalWeeks: 5,
      weekday: 3,
      startTime: '17:30',
    },
    {
      name: 'Haushalts- und Finanzausschuss',
      slug: 'haushalt',
      topics: ['Kultur, Sport und Vereine', 'Verwaltung und Digitales'],
      intervalWeeks: 7,
      weekday: 1,
      startTime: '16:30',
    },
    {
      name: 'Rechnungsprüfungsausschuss',
      slug: 'rechnungspruefung',
      topics: [],
      intervalWeeks: 13,
      weekday: 1,
      startTime: '14:00',
    },
    {
      name: 'Gemeinderat',
      slug: 'gemeinderat',
      topics: 'all',
      intervalWeeks: 4,
      weekday: 4,
      startTime: '18:00',
    },
  ],
  surveys: JSON.parse(readTextAsset('src/demo/german/surveys.json')),
  rankLabel: 'Rang',
  otherAnswersText: 'Weitere Antworten',
  submissionCount: 4_000,
  startDate: '2020-11-02',
  // Midnight in Germany.
  deadlines: [
    { at: '2022-05-31T22:00:00.000Z', submissions: 30 },
    { at: '2023-05-31T22:00:00.000Z', submissions: 45 },
    { at: '2024-05-31T22:00:00.000Z', submissions: 120 },
    { at: '2025-11-30T23:00:00.000Z', submissions: 26 },
    { at: '2026-09-30T22:00:00.000Z', submissions: 64 },
  ],
  positionPaperLengths: [5_600, 7_200, 8_500, 11_000, 13_500, 16_000, 18_000, 20_000],
  formatReferenceNumber: (year, number) => `${year}/${String(number).padStart(4, '0')}`,
  buildProtocolUrl: (slug, date) =>
    `https://ratsinfo.lindenau.example/niederschriften/${date.slice(0, 4)}/${slug}-${date}.pdf`,
};
