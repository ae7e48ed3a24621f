import type { Messages } from '../en.ts';

export const redactionTerms: Messages['redactionTerms'] = {
  title: 'In Texten zu ersetzende Wörter',
  intro:
    'Importe ersetzen diese Wörter, Namen und Muster in den Texten, die sie veröffentlichen, zusätzlich zu den personenbezogenen Daten, die jede Quelle ersetzt. Die Liste gilt ab dem nächsten Import. Namen von Personen werden nicht erkannt. Führen Sie hier diejenigen auf, die nicht veröffentlicht werden dürfen.',
  open: 'Wörter bearbeiten',
  label: 'Wörter, Namen und Muster',
  hint: 'Je Zeile eine Angabe. Ein Wort oder Name wird als Ganzes ersetzt, auch bei anderer Groß- und Kleinschreibung, mit Endungen wie im Genitiv und mit vorangestelltem Nachnamen. Ein Muster hat einen Namen und einen regulären Ausdruck: Kundennummer = /K-[0-9]{6}/',
  sample: 'Text zum Ausprobieren',
  sampleHint: 'Die Vorschau zeigt, was davon veröffentlicht würde. Der Text wird nicht gespeichert.',
  preview: 'Vorschau',
  saved: 'Die Wörter wurden gespeichert. Sie gelten ab dem nächsten Import.',
  invalid: (line) =>
    `Wörter, Namen und Muster: Zeile ${line} muss ein Wort mit mindestens zwei Zeichen oder einen Namen mit gültigem regulärem Ausdruck enthalten, zum Beispiel Kundennummer = /K-[0-9]{6}/.`,
  tooLong: 'Wörter, Namen und Muster: Geben Sie höchstens 1.000 Zeilen und 20.000 Zeichen ein.',
  slow: 'Wörter, Namen und Muster: Ein Muster braucht bei diesem Text zu lange. Vereinfachen Sie es.',
};
