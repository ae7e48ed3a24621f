import type { mappings as english } from '../en/mappings.ts';
import type { Translation } from '../sentence-types.ts';

const units: Readonly<Record<string, string>> = {
  year: 'das Jahr',
  month: 'den Monat',
  weekday: 'den Wochentag',
  day: 'den Tag',
  hour: 'die Stunde',
  minute: 'die Minute',
  second: 'die Sekunde',
  fraction: 'Bruchteile einer Sekunde',
  half: 'die Tageshälfte (AM oder PM)',
  offset: 'den Abstand zu UTC',
};

const parts: Readonly<Record<string, string>> = {
  submission: 'der Anliegen',
  session: 'der Sitzungen',
  agenda: 'der Tagesordnungen',
};

export const mappings: Translation<typeof english> = {
  'mapping-missing': 'Die Zuordnung der Spalten fehlt.',
  'mapping-malformed': ({ line }) =>
    `Zuordnung, Zeile ${line}: Die Schreibweise (YAML) ist fehlerhaft. Setzen Sie Texte mit Sonderzeichen wie - : # oder " in Anführungszeichen.`,
  'mapping-with-alias':
    'Die Zuordnung enthält einen Verweis (* oder &). Wiederholen Sie stattdessen den Text.',
  'mapping-invalid': ({ line, path, problem }, words) => {
    const sentence = `Zuordnung, Zeile ${line}${path.length === 0 ? '' : ` (${path.join('.')})`}: ${words.reason(problem)}`;
    return sentence.endsWith('?') ? sentence : `${sentence}.`;
  },
  'mapping-time-zone-contradicts': ({ timeZone, option }) =>
    `Die Zuordnung nennt die Zeitzone ${timeZone}, die Einstellungen der Quelle nennen ${option}. Entfernen Sie eine davon.`,
  'mapping-column-missing': ({ file, column, part, similar }) =>
    `In ${file} fehlt die Spalte „${column}“ der Zuordnung${part === undefined ? '' : ` ${parts[part] ?? part}`}.${similar === undefined ? '' : ` Ist „${similar}“ gemeint?`}`,
  'mapping-columns-missing': ({ part, columns }) =>
    `Keine Datei enthält alle Spalten der Zuordnung ${parts[part] ?? part}: ${columns.map((column) => `„${column}“`).join(', ')}.`,
  'heading-withholds-rows': ({ file, line, heading }) =>
    `${file}, Zeile ${line}, ist offenbar die Überschrift von Zeilen, die nicht veröffentlicht werden sollen: „${heading}“. Entfernen Sie die Zeilen darunter aus der Datei. Sollen sie veröffentlicht werden, entfernen Sie die Überschrift.`,
  'sheet-withholds-rows': ({ file, sheet }) =>
    `Das Tabellenblatt von ${file} enthält offenbar Zeilen, die nicht veröffentlicht werden sollen: „${sheet}“. Sollen sie veröffentlicht werden, benennen Sie das Blatt um.`,
  'mapping-header-unreadable': ({ file }) =>
    `${file} ist keine Tabelle: Die erste Zeile lässt sich nicht lesen.`,
  'must-be-mapping': 'Erwartet werden Zeilen der Form „Name: Wert“, zum Beispiel „submission:“',
  'must-have-part': 'submission oder session fehlt',
  'is-missing': 'Die Angabe fehlt',
  'is-unknown': ({ near }) =>
    `Die Angabe ist unbekannt${near === undefined ? '' : `. Ist „${near}“ gemeint?`}`,
  'must-not-be-empty': 'Die Angabe darf nicht leer sein',
  'must-have-one-source': 'Erforderlich ist genau eine der Angaben column, columns und constant',
  'must-be-columns': 'Erwartet wird eine Spalte oder eine Liste von Spalten',
  'must-be-column': 'Erwartet wird eine Spalte oder eine Tabelle von Angaben',
  'must-be-one-of': ({ values }) =>
    `Erwartet wird einer dieser Werte: ${values.map((value) => `„${value}“`).join(', ')}`,
  'must-be-character': 'Erwartet wird ein einzelnes Zeichen oder „tab“',
  'must-be-list': 'Erwartet wird eine Liste wie [a, b]',
  'must-be-table': 'Erwartet werden Zeilen der Form „Name: Wert“',
  'must-be-text': 'Erwartet wird ein Text',
  'must-be-word': 'Erwartet wird ein Wort',
  'must-be-valid': 'Die Angabe ist ungültig',
  'has-empty-key': 'Ein Schlüssel ist leer. Geben Sie die beschädigten Zeichen an',
  'must-be-encoding': 'Erwartet wird eine Zeichenkodierung wie utf-8, utf-16le oder windows-1252',
  'must-be-records-path': 'Erwartet wird ein Pfad wie result.records oder data.edges[].node',
  'must-be-row': ({ max }) => `Erwartet wird die Nummer einer Zeile von 1 bis ${max}`,
  'must-be-time-zone': 'Erwartet wird eine Zeitzone wie Europe/Berlin',
  'needs-session': 'Dafür muss auch session angegeben sein',
  'needs-single-column': 'Dafür muss session oder submission eine einzelne Spalte sein',
  'needs-values':
    'Dafür muss values angegeben sein. Sonst gilt eine ausgefüllte Zelle als true und eine leere als false',
  'must-be-two-columns': 'Erwartet werden zwei Spalten: Breite und Länge',
  'must-be-start-and-end': 'Erwartet werden Beginn und Ende',
  'equals-decimal': 'Die Angabe stimmt mit dem Dezimaltrennzeichen überein',
  'word-invalid': ({ value, wanted }) =>
    `„${value}“ ist ungültig. Erwartet wird ${{ integer: 'eine ganze Zahl', boolean: 'true oder false', uri: 'eine Internetadresse, die mit https:// oder http:// beginnt', word: 'ein Wort mit 1 bis 200 Zeichen' }[wanted]}`,
  'pattern-repeats': ({ unit }) => `Das Datumsformat nennt ${units[unit] ?? unit} zweimal`,
  'pattern-token-unknown': ({ token, known }) =>
    `Das Datumsformat enthält „${token}“. Bekannt sind ${known}, zum Beispiel DD.MM.YYYY`,
  'pattern-without-year':
    'Im Datumsformat fehlt das Jahr: YYYY, oder YY bei zwei Ziffern, zum Beispiel DD.MM.YYYY',
  'pattern-incomplete': ({ unit, needed }) =>
    `Das Datumsformat nennt ${units[unit] ?? unit}, aber nicht ${units[needed] ?? needed}`,
  'pattern-without-half':
    'Das Datumsformat hat Stunden von 1 bis 12 (hh) ohne AM oder PM. Ergänzen Sie A, oder schreiben Sie HH für 0 bis 23',
  'pattern-half-alone':
    'Das Datumsformat hat AM oder PM (A) ohne Stunden von 1 bis 12. Schreiben Sie hh oder h',
};
