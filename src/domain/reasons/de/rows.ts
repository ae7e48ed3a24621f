import type { rows as english } from '../en/rows.ts';
import type { Translation } from '../sentence-types.ts';

const nameColumn = ({ column }: { column: string | number }) =>
  typeof column === 'string' ? `Spalte „${column}“` : `Spalte ${column}`;

const blanks: Readonly<Record<string, string>> = {
  '0009': 'ein Tabulator',
  '0020': 'ein Leerzeichen',
  '000D': 'ein Wagenrücklauf',
  '000A': 'ein Zeilenumbruch',
};

export const rows: Translation<typeof english> = {
  'row-malformed': ({ fault, start, lines }, words) =>
    `Die Zeile passt nicht zur Tabelle: ${words.reason(fault)}${start === undefined ? '' : `. Wegen eines Anführungszeichens beginnt sie schon in Zeile ${start} und umfasst ${lines} Zeilen, die alle nicht importiert werden`}`,
  'cell-count-wrong': ({ cells, expected }) =>
    `Sie hat ${cells === 1 ? '1 Zelle' : `${cells} Zellen`}, die erste Zeile ${expected}. Möglicherweise fehlt ein Trennzeichen, oder eine Zelle mit Trennzeichen steht nicht in Anführungszeichen`,
  'quote-inside-cell': (values) =>
    `${nameColumn(values)} enthält in der Mitte ein Anführungszeichen. Setzen Sie die Zelle in Anführungszeichen und verdoppeln Sie die darin enthaltenen`,
  'text-after-quote': ({ character, ...values }) =>
    `Auf das schließende Anführungszeichen in ${nameColumn(values)} folgt ${character === undefined ? 'ein anderes Zeichen' : `${blanks[character] ?? `„${String.fromCharCode(Number.parseInt(character, 16))}“`} (U+${character})`} statt eines Trennzeichens. Entfernen Sie dieses Zeichen, oder verdoppeln Sie das Anführungszeichen, falls es zum Text gehört`,
  'rows-in-cell': ({ count, ...values }) =>
    `${nameColumn(values)} enthält ${count === 1 ? 'eine Zeile, die' : `${count} Zeilen, die`} wie ein eigener Datensatz ${count === 1 ? 'aussieht' : 'aussehen'}. Suchen Sie ein Anführungszeichen, das geöffnet und nicht geschlossen wird`,
  'csv-invalid': 'Sie ist kein gültiges CSV',
  'cell-count-differs': 'Die Zeile hat nicht so viele Zellen wie die Kopfzeile',
  'cell-faulty': ({ cell, fault }, words) => `Zelle ${cell}: ${words.reason(fault)}`,
  'cell-outside':
    'Ein Wert steht außerhalb der benannten Spalten. Benennen Sie die Spalte oder löschen Sie den Wert',
  'cell-without-result':
    'Eine Formel hat kein gespeichertes Ergebnis. Öffnen Sie die Datei in einem Tabellenprogramm und speichern Sie sie',
  'cell-error': ({ error }) =>
    `Die Zelle enthält den Fehler ${error}. Berichtigen Sie die Formel oder leeren Sie die Zelle`,
  'cell-with-missing-word': ({ name, word }, words) =>
    `${words.field(name)} ist „${word}“. Lassen Sie die Zelle stattdessen leer`,
  'entry-without-object': ({ path }) => `Der Eintrag enthält kein Objekt „${path}“`,
  'column-twice': ({ column: name }) =>
    `Der Eintrag hat zwei Werte für die Spalte „${name}“: einen Namen mit Punkt und ein Objekt mit dieser Angabe`,
  'json-invalid': 'Der Eintrag ist kein gültiges JSON',
  'json-not-utf8': 'Der Eintrag ist nicht in UTF-8 kodiert',
  'json-too-deep': ({ max }) => `Der Eintrag ist mehr als ${max} Ebenen tief verschachtelt`,
  'json-name-repeated': ({ name }) =>
    `Ein Objekt enthält „${name}“ zweimal. Lassen Sie eine der beiden Angaben weg`,
  'json-too-many-values': ({ millions }) => `Der Eintrag hat mehr als ${millions} Millionen Werte`,
};
