import type { Messages } from '../en.ts';

const labels: Messages['organizationDetails']['labels'] = {
  timeZone: 'Zeitzone',
  licenseName: 'Lizenz',
  licenseUrl: 'Adresse der Lizenz',
  contactName: 'Kontakt: Person oder Stelle',
  contactEmail: 'Kontakt: E-Mail-Adresse',
  contactUrl: 'Kontakt: Internetseite',
  attribution: 'Quellenvermerk',
};

const tooLong = (label: string, max: string) =>
  `${label}: Geben Sie höchstens ${max} Zeichen ohne Zeilenumbruch ein.`;
const wrongUrl = (label: string) =>
  `${label}: Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt.`;

export const organizationDetails: Pick<Messages, 'organizationDetails'> = {
  organizationDetails: {
    title: 'Lizenz und Kontakt',
    intro:
      'Die API veröffentlicht diese Angaben zusammen mit dem Namen der Kommune, damit andere die Daten richtig nutzen können. Alle, die einen API-Schlüssel haben, können sie lesen.',
    labels,
    hints: {
      timeZone:
        'Importe lesen Zeiten ohne Zeitzone in dieser Zone. Eine Änderung gilt für spätere Importe; veröffentlichte Zeiten bleiben unverändert.',
      licenseName:
        'SPDX-Kürzel, zum Beispiel CC-BY-4.0 oder DL-DE-BY-2.0, oder der Name einer anderen Lizenz.',
      licenseUrl: 'Adresse des Lizenztextes, zum Beispiel https://www.govdata.de/dl-de/by-2-0.',
      contactName: 'Für Fragen zu den Daten.',
      contactEmail: 'Geben Sie möglichst die Adresse einer Stelle an, nicht die einer Person.',
      contactUrl: 'Adresse einer Seite mit weiteren Kontakten.',
      attribution: 'So sollen andere die Quelle nennen, zum Beispiel „Daten: Musterstadt, dl-de/by-2-0“.',
    },
    errors: {
      timeZone: 'Wählen Sie eine Zeitzone.',
      licenseName: tooLong(labels.licenseName, '200'),
      licenseUrl: wrongUrl(labels.licenseUrl),
      contactName: tooLong(labels.contactName, '200'),
      contactEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel opendata@musterstadt.example.',
      contactUrl: wrongUrl(labels.contactUrl),
      attribution: tooLong(labels.attribution, '1.000'),
    },
    changedMeanwhile: (stored) =>
      `Dieses Feld wurde inzwischen geändert. Gespeichert ist ${stored === '' ? 'kein Wert' : `„${stored}“`}. Prüfen Sie die Angabe und speichern Sie erneut.`,
    submit: 'Speichern',
    saved: 'Die Angaben wurden gespeichert',
  },
};
