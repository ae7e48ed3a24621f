import { roundMaxLogoKilobytes } from '../../../domain/organizations/logo.ts';
import { publications } from '../../../domain/reasons/de/publications.ts';
import type { Messages } from '../en.ts';

const labels: Messages['organizationSettings']['labels'] = {
  name: 'Name der Kommune',
  timeZone: 'Zeitzone',
  language: 'Sprache der Daten',
  country: 'Land',
  licenseName: 'Bezeichnung der Lizenz',
  licenseUrl: 'Internetadresse der Lizenz',
  contactName: 'Kontakt: Person oder Stelle',
  contactEmail: 'Kontakt: E-Mail-Adresse',
  contactUrl: 'Kontakt: Internetseite',
  attribution: 'Quellenangabe',
  accentColor: 'Farbe',
  redactionTerms: 'Zu ersetzende Wörter',
  locationDecimals: 'Nachkommastellen der Standorte',
  topicsWithoutLocation: 'Themen ohne Standort',
  slug: 'Name in der Adresse',
  ...publications.openData,
  approval: 'Freigabe durch eine zweite Person',
  logo: 'Logo',
};

const tooLong = (label: string, max: string) =>
  `${label}: Geben Sie höchstens ${max} Zeichen ohne Zeilenumbruch ein.`;
const wrongUrl = (label: string) =>
  `${label}: Geben Sie eine vollständige Internetadresse ein, zum Beispiel https://www.musterstadt.example/daten.`;

const quote = (value: string): string => (value === '' ? 'leer' : `„${value}“`);

export const organizationSettings: Messages['organizationSettings'] = {
  title: 'Einstellungen',
  intro:
    'Diese Angaben werden (außer Sprache, Land und Farbe) veröffentlicht, damit andere die Daten richtig nutzen können. Mit jedem API-Schlüssel können sie abgerufen werden.',
  labels,
  openDataStates: publications.openDataStates,
  hints: {
    name: 'So, wie die Kommune nach außen auftritt, zum Beispiel Musterstadt.',
    timeZone:
      'Bei Importen gilt diese Zeitzone für Zeitangaben ohne Zeitzone. Eine Änderung wirkt sich nur auf spätere Importe aus. Bereits veröffentlichte Zeiten bleiben unverändert.',
    language:
      'In dieser Sprache schreibt Rostra Wörter in veröffentlichte Texte, zum Beispiel [E-Mail] anstelle einer Adresse.',
    country:
      'Rostra erkennt Telefonnummern und Kfz-Kennzeichen dieses Landes und liest mehrdeutige Datumsangaben so, wie sie dort üblich sind.',
    licenseName: 'Möglichst das SPDX-Kürzel, zum Beispiel ODbL-1.0.',
    licenseUrl: 'Seite mit dem Lizenztext, zum Beispiel https://opendatacommons.org/licenses/odbl/1-0/.',
    contactName:
      'Für Fragen zu den Daten und für alle, die einen API-Schlüssel brauchen. Die Seite unter /docs (englisch) ist öffentlich.',
    contactEmail: 'Geben Sie möglichst die Adresse einer Stelle an, nicht die Adresse einer Person.',
    contactUrl: 'Seite mit weiteren Kontaktmöglichkeiten.',
    // Word joiners keep the licence in one line.
    attribution:
      'So sollen andere die Quelle nennen, zum Beispiel „Daten: Musterstadt, dl-\u2060de/\u2060by-2-0“.',
    accentColor:
      'Die Farbe Ihrer Kommune, zum Beispiel #004f9f. Die öffentliche Seite zeigt sie als Balken, in Links und in Schaltflächen. Wo der Kontrast nicht reicht, wird sie dunkler oder heller dargestellt.',
  },
  errors: {
    name: 'Name der Kommune: Geben Sie 1 bis 200 Zeichen ohne Zeilenumbruch ein.',
    timeZone: 'Zeitzone: Wählen Sie eine Zeitzone aus der Liste.',
    language: 'Sprache der Daten: Wählen Sie eine Sprache aus der Liste.',
    country: 'Land: Wählen Sie ein Land aus der Liste.',
    licenseName: tooLong(labels.licenseName, '200'),
    licenseUrl: wrongUrl(labels.licenseUrl),
    contactName: tooLong(labels.contactName, '200'),
    contactEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel opendata@musterstadt.example.',
    contactUrl: wrongUrl(labels.contactUrl),
    attribution: tooLong(labels.attribution, '1.000'),
    accentColor:
      'Farbe: Geben Sie # und sechs Zeichen ein, jeweils eine Ziffer oder einen Buchstaben von a bis f, zum Beispiel #004f9f.',
  },
  groups: {
    municipality: 'Kommune',
    license: 'Lizenz der Daten',
    contact: 'Kontakt',
    publicPages: 'Öffentliche Seite',
  },
  nameTaken: 'Eine andere Kommune hat bereits diesen Namen. Wählen Sie einen anderen Namen.',
  changedMeanwhile: (label, before, stored) =>
    `„${label}“ wurde inzwischen von einer anderen Person geändert (vorher ${quote(before)}, jetzt ${quote(stored)}). Prüfen Sie die Angabe und speichern Sie erneut.`,
  unsaved: 'Diese Änderungen sind noch nicht gespeichert',
  unsavedFields: (names) =>
    `Diese Felder weichen von den gespeicherten Einstellungen ab: ${names}. Die Änderungen werden erst veröffentlicht, wenn Sie speichern.`,
  discard: 'Änderungen verwerfen',
  saved: 'Die Einstellungen wurden gespeichert',
  savedWithoutLicense:
    'Die Einstellungen wurden gespeichert. Ohne Lizenz sind die offenen Daten jetzt ausgeschaltet.',
  ofInstallation: (value) => `Voreinstellung (${value})`,
  accentPreview: {
    sample: 'Beispiel',
    light: 'Auf hellem Grund',
    dark: 'Auf dunklem Grund',
    unchanged: 'unverändert',
    changed: (shade) => `als ${shade}`,
  },
  licenseChoice: {
    label: 'Lizenz',
    hint: 'Die Lizenz legt fest, wie andere die Daten nutzen dürfen.',
    none: 'Noch keine Lizenz',
    usual: {
      'DL-DE-BY-2.0': 'Datenlizenz Deutschland – Namensnennung – Version 2.0',
      'DL-DE-ZERO-2.0': 'Datenlizenz Deutschland – Zero – Version 2.0',
      'CC-BY-4.0': 'Creative Commons Namensnennung 4.0 (CC BY 4.0)',
      'CC0-1.0': 'Creative Commons Zero 1.0 (CC0)',
    },
    other: 'Andere Lizenz',
    namesFormer: (former, name, license) =>
      `Die Quellenangabe nennt noch die bisherige Lizenz (${former}). ${license === '' ? 'Entfernen Sie die Lizenz aus der Quellenangabe.' : `Passen Sie sie an, zum Beispiel „Daten: ${name}, ${license}“.`}`,
    missing: 'Bezeichnung der Lizenz: Geben Sie die Bezeichnung ein oder wählen Sie „Noch keine Lizenz“.',
  },
  logo: {
    intro:
      'Das Logo oder Wappen wird im Verwaltungsbereich und auf der öffentlichen Seite angezeigt. Die API veröffentlicht die Adresse des Bildes. Das Bild kann ohne Schlüssel abgerufen werden.',
    alternative: (name) => `Logo: ${name}`,
    facts: (width, height) => `${width} × ${height} Pixel`,
    none: 'Bisher ist kein Logo hinterlegt.',
    file: 'Bilddatei',
    hint: `PNG, JPEG oder WebP, höchstens ${roundMaxLogoKilobytes} kB, höchstens 2.000 Pixel breit und hoch.`,
    upload: 'Logo speichern',
    replace: 'Logo ersetzen',
    remove: 'Logo entfernen',
    saved: 'Das Logo wurde gespeichert',
    removed: 'Das Logo wurde entfernt',
    errors: {
      missing: 'Wählen Sie eine Bilddatei aus.',
      tooLarge: `Die Datei ist größer als ${roundMaxLogoKilobytes} kB. Verkleinern Sie das Bild oder speichern Sie es mit stärkerer Komprimierung.`,
      notAnImage:
        'Die Datei ist kein Bild im Format PNG, JPEG oder WebP. Speichern Sie das Bild in einem dieser Formate.',
      damaged:
        'Die Datei ist beschädigt oder enthält weitere Daten neben dem Bild. Speichern Sie das Bild neu.',
      animated: 'Das Bild ist animiert. Wählen Sie ein Bild ohne Animation.',
      tooManyPixels: 'Das Bild ist breiter oder höher als 2.000 Pixel. Verkleinern Sie es.',
      changedMeanwhile:
        'Das Logo wurde inzwischen von einer anderen Person geändert. Prüfen Sie das aktuelle Logo und versuchen Sie es erneut.',
    },
  },
};
