import type { files as english, JsonPlace } from '../en/files.ts';
import type { Translation } from '../sentence-types.ts';

const quoteNames = (names: readonly string[]) => names.map((name) => `„${name}“`).join(', ');
const listFiles = ({ names, others }: { names: readonly string[]; others: number }) =>
  `${quoteNames(names)}${others > 0 ? ` und ${others} weitere` : ''}`;

const unclosedQuote = 'Suchen Sie ein Anführungszeichen, das geöffnet und nicht geschlossen wird';

const placeInJson = (place: JsonPlace) =>
  typeof place === 'number'
    ? `in Eintrag ${place}`
    : place === 'object'
      ? 'in einem Objekt'
      : 'außerhalb der Einträge';

const atPath = (list: string) => (list === '' ? '' : ` unter „${list}“`);

export const files: Translation<typeof english> = {
  'file-missing': ({ file }) => `Die Datei ${file} gibt es nicht.`,
  'file-unreadable': ({ file }) => `${file} lässt sich nicht lesen.`,
  'file-forbidden': ({ file, user }) =>
    `${file} lässt sich nicht lesen: Dem Konto ${user} fehlt die Berechtigung. Erlauben Sie diesem Konto, die Datei zu lesen und ihre Ordner zu öffnen.`,
  'file-is-folder': ({ file }) => `${file} ist ein Ordner.`,
  'file-not-utf8': ({ file }) => `${file} ist nicht in UTF-8 kodiert.`,
  'file-too-large': ({ file }) => `${file} ist größer als 64 MB.`,
  'file-empty': ({ file }) => `${file} ist leer.`,
  'file-not-json': 'Der Text ist kein gültiges JSON.',
  'folder-without-files': ({ file, extensions }) =>
    `Der Ordner ${file} enthält keine Datei dieses Formats (${extensions.join(', ')}, auch mit .gz oder in .zip), oder alle sind leer.`,
  'temporary-folder-unwritable': ({ folder }) =>
    `In den Ordner für temporäre Dateien, ${folder}, kann nicht geschrieben werden. Der Systembetrieb kann das beheben.`,

  'file-is-7z': ({ file }) =>
    `${file} ist ein 7z-Archiv. Entpacken Sie es und importieren Sie seine Dateien.`,
  'file-is-rar': ({ file }) =>
    `${file} ist ein RAR-Archiv. Entpacken Sie es und importieren Sie seine Dateien.`,
  'file-is-xz': ({ file }) =>
    `${file} ist mit xz komprimiert. Entpacken Sie die Datei oder verwenden Sie gzip.`,
  'file-is-zstd': ({ file }) =>
    `${file} ist mit Zstandard komprimiert. Entpacken Sie die Datei oder verwenden Sie gzip.`,
  'file-is-bzip2': ({ file }) =>
    `${file} ist mit bzip2 komprimiert. Entpacken Sie die Datei oder verwenden Sie gzip.`,
  'file-is-pdf': ({ file }) => `${file} ist ein PDF-Dokument. Bitten Sie um die Daten als CSV oder JSON.`,
  'file-is-sqlite': ({ file }) => `${file} ist eine SQLite-Datenbank. Exportieren Sie ihre Tabellen als CSV.`,
  'file-is-web-page': ({ file }) =>
    `${file} ist eine Webseite (HTML). Wenn ein Tabellenprogramm sie als Tabelle öffnet, speichern Sie sie als .xlsx. Rufen Sie sie andernfalls noch einmal ab: Möglicherweise ist es eine Anmelde- oder Fehlerseite.`,
  'file-is-xml-spreadsheet': ({ file }) =>
    `${file} ist eine Tabelle in XML. Öffnen Sie sie in einem Tabellenprogramm und speichern Sie sie als .xlsx.`,
  'file-is-encrypted': ({ file }) =>
    `${file} ist mit einem Passwort geschützt. Öffnen Sie die Datei, entfernen Sie das Passwort und speichern Sie sie. In Excel: Wählen Sie Datei > Informationen > Arbeitsmappe schützen > Mit Kennwort verschlüsseln, und löschen Sie dort das Kennwort.`,
  'file-is-old-excel': ({ file }) =>
    `${file} ist eine alte Excel-Arbeitsmappe (.xls). Öffnen Sie sie und speichern Sie sie als .xlsx.`,
  'file-is-word': ({ file }) => `${file} ist ein Word-Dokument. Bitten Sie um die Daten als Tabelle.`,
  'file-is-old-office': ({ file }) =>
    `${file} ist ein altes Office-Dokument. Öffnen Sie es und speichern Sie es als .xlsx oder als CSV in UTF-8.`,
  'file-is-xlsb': ({ file }) =>
    `${file} ist eine binäre Excel-Arbeitsmappe (.xlsb). Öffnen Sie sie und speichern Sie sie als .xlsx.`,
  'file-is-office': ({ file }) =>
    `${file} ist ein Office-Dokument ohne Tabellen. Exportieren Sie die Daten als .xlsx oder CSV.`,
  'file-is-numbers': ({ file }) =>
    `${file} ist ein Dokument aus Apple Numbers oder Pages. Exportieren Sie es als .xlsx oder CSV.`,
  'file-is-opendocument': ({ file }) =>
    `${file} ist eine OpenDocument-Datei ohne Tabellen. Exportieren Sie die Daten als .ods oder CSV.`,
  'spreadsheet-encrypted': ({ file }) =>
    `${file} ist mit einem Passwort geschützt. Öffnen Sie die Datei und speichern Sie sie ohne Passwort.`,
  'file-is-spreadsheet': ({ file }) => `${file} ist eine Tabelle, die es in diesem Format nicht gibt.`,

  'archive-too-many-files': ({ file, max }) =>
    `${file} ist ein Zip-Archiv mit mehr als ${max} Dateien. Entpacken Sie es.`,
  'archive-checksum-wrong': ({ file, entry }) =>
    `${file} ist beschädigt: Die Prüfsumme von „${entry}“ stimmt nicht. Rufen Sie die Datei noch einmal ab.`,
  'archive-entry-encrypted': ({ file, entry }) =>
    `${file} ist mit einem Passwort geschützt. Entpacken Sie das Archiv und importieren Sie „${entry}“.`,
  'archive-method-unknown': ({ file, entry, method }) =>
    `${file} ist mit einem nicht unterstützten Verfahren (${method}) komprimiert. Entpacken Sie das Archiv und importieren Sie „${entry}“.`,
  'archive-entry-too-large': ({ file, entry }) =>
    `„${entry}“ in ${file} ist entpackt größer als 4 GB. Entpacken und teilen Sie die Datei.`,
  'archive-unsafe-name': ({ file }) =>
    `${file} ist ein Zip-Archiv mit einem unsicheren Dateinamen. Entpacken Sie es und importieren Sie seine Dateien.`,
  'archive-encrypted': ({ file }) =>
    `${file} ist mit einem Passwort geschützt. Entpacken Sie das Archiv und importieren Sie seine Dateien.`,
  'archive-in-parts': ({ file }) => `${file} ist ein Teil eines mehrteiligen Zip-Archivs. Entpacken Sie es.`,
  'archive-damaged': ({ file }) =>
    `${file} ist ein unvollständiges oder beschädigtes Zip-Archiv. Rufen Sie es noch einmal ab.`,
  'archive-nested': ({ file, entry }) =>
    `${file} enthält ein weiteres Archiv${entry === undefined ? '' : `, „${entry}“`}. Entpacken Sie es.`,
  'archive-empty': ({ file }) => `${file} ist ein Zip-Archiv ohne Dateien, oder alle sind leer.`,
  'archive-several-files': (values) =>
    `${values.file} enthält mehrere Dateien: ${listFiles(values)}. Entpacken Sie das Archiv und importieren Sie eine davon.`,
  'archive-without-format': ({ extensions, ...values }) =>
    `${values.file} enthält keine Datei dieses Formats (${extensions.join(', ')}, auch mit .gz), sondern ${listFiles(values)}.`,
  'archive-grows': ({ file, entry, max }) =>
    `${file} wird nicht gelesen, weil ${entry === undefined ? 'die Datei' : `„${entry}“`} beim Entpacken auf mehr als das ${max}-Fache anwächst, wie bei einem Angriff (Zip-Bombe). Wenn Sie der Datei vertrauen, entpacken Sie sie.`,
  'archive-needs-file': ({ file }) =>
    `${file} ist eine Tabelle oder ein Zip-Archiv von mehr als 1 GB und lässt sich nur als unkomprimierte Datei lesen. Speichern Sie sie und importieren Sie die Datei.`,
  'gzip-twice': ({ file }) => `${file} ist doppelt komprimiert. Entpacken Sie die Datei einmal.`,
  'gzip-truncated': ({ file }) =>
    `${file} ist abgeschnitten: Die gzip-Daten sind unvollständig. Rufen Sie die Datei noch einmal ab.`,
  'gzip-damaged': ({ file }) =>
    `${file} ist beschädigt: Die gzip-Daten sind fehlerhaft. Rufen Sie die Datei noch einmal ab.`,

  'encoding-unknown': ({ encoding }) =>
    `Die Zeichenkodierung „${encoding}“ ist unbekannt. Bekannt sind zum Beispiel utf-8, utf-16le und windows-1252.`,
  'encoding-wrong': ({ file, encoding, mayName }) =>
    `${file} ist nicht durchgehend in ${encoding.toUpperCase()} kodiert. Speichern Sie die Datei in UTF-8${mayName ? ' oder geben Sie ihre Zeichenkodierung in der Zuordnung an' : ''}.`,
  'not-utf8': ({ file, mayName, line, byte, value }) =>
    `${file} ist nicht in UTF-8 kodiert. Speichern Sie die Datei in UTF-8${mayName ? ' oder geben Sie ihre Zeichenkodierung in der Zuordnung an' : ''}. Das erste Byte, das nicht zu UTF-8 passt, ist 0x${value} in Zeile ${line} (Byte ${byte} der Datei).`,
  'utf8-damaged': ({ file, mayName, line, byte, value }) =>
    `${file} ist nicht durchgehend in UTF-8 kodiert. Das erste Byte, das nicht zu UTF-8 passt, ist 0x${value} in Zeile ${line} (Byte ${byte} der Datei). Korrigieren Sie dieses Zeichen und speichern Sie die Datei in UTF-8.${mayName ? ' Wenn die ganze Datei eine andere Zeichenkodierung hat, geben Sie diese in der Zuordnung an.' : ''}`,
  'encoding-utf16': ({ file }) => `${file} ist in UTF-16 kodiert. Speichern Sie die Datei in UTF-8.`,

  'table-expected': ({ file }) => `${file} ist keine Tabelle. Verwenden Sie CSV, TSV, .xlsx oder .ods.`,
  'table-without-rows': ({ files: names }) =>
    `${names.join(', ')} ist keine Tabelle mit Spaltennamen in der ersten Zeile und weiteren Zeilen.`,
  'table-columns-differ': ({ file, other }) =>
    `${file} hat andere Spalten als ${other}. Importieren Sie die Dateien getrennt.`,
  'table-rows-malformed': ({ problem }, words) => `${words.reason(problem)}.`,
  'table-too-many-columns': ({ file, max }) =>
    `${file} hat mehr als ${max.toLocaleString('de')} Spalten. Exportieren Sie nur die benötigten.`,
  'column-repeated': ({ file, first, second }) =>
    `In ${file} haben die Spalten ${first} und ${second} denselben Namen. Benennen Sie eine von ihnen um.`,
  'survey-header-missing': ({ file }) =>
    `In ${file} fehlt offenbar die erste Zeile mit den Überschriften: Die erste Zeile enthält dieselben Antworten wie andere Zeilen. Ergänzen Sie die Fragen als Überschriften.`,
  'csv-header-malformed': ({ file, line, fault }, words) => `${file}, Zeile ${line}: ${words.reason(fault)}.`,
  'csv-row-unclosed': ({ file, line, lines }) =>
    `${file} enthält einen Datensatz, der in Zeile ${line} beginnt und nicht endet; ${lines === 1 ? 'diese Zeile wurde' : `${lines} Zeilen wurden`} deshalb nicht gelesen. ${unclosedQuote}.`,
  'csv-row-too-large': ({ file, line }) =>
    `${file} enthält einen Datensatz von mehr als 4 MB, der in Zeile ${line} beginnt. ${unclosedQuote}, oder lassen Sie die Zeile weg.`,
  'csv-unreadable': ({ file, fault }, words) =>
    `${file} lässt sich nicht als CSV lesen: ${words.reason(fault)}.`,

  'sheet-unknown': ({ file, sheet, names }) =>
    `${file} hat kein Tabellenblatt „${sheet}“. Vorhanden sind: ${quoteNames(names)}.`,
  'sheets-without-data': ({ file }) => `${file} hat kein Tabellenblatt mit Daten.`,
  'sheet-ambiguous': ({ file, names }) =>
    `${file} hat mehrere Tabellenblätter mit Daten: ${quoteNames(names)}. Wählen Sie eines davon aus.`,
  'header-row-missing': ({ file, row }) => `In ${file} gibt es keine Zeile ${row} mit Überschriften.`,
  'sheet-empty': ({ file, sheet }) => `Das Tabellenblatt „${sheet}“ von ${file} enthält keine Daten.`,
  'sheet-header-faulty': ({ file, cell, fault }, words) => `${file}, Zelle ${cell}: ${words.reason(fault)}.`,
  'sheet-too-many-columns': ({ file, max }) => `${file} hat mehr als ${max} Spalten.`,
  'sheet-row-too-large': ({ file, row }) =>
    `${file} hat in Zeile ${row} mehr als 4 MB. Lassen Sie die Zeile weg.`,
  'sheet-repeats-cells': ({ file }) =>
    `${file} wiederholt dieselben Zellen millionenfach. Entfernen Sie die ausgefüllten Zeilen unter den Daten.`,
  'sheet-cell-too-long': ({ file }) =>
    `${file} enthält eine Zelle mit mehr als 100.000 Zeichen. Lassen Sie sie weg.`,
  'sheet-too-many-texts': ({ file, max }) =>
    `${file} enthält mehr als ${max} verschiedene Texte. Teilen Sie die Datei.`,
  'sheet-format-too-long': ({ file, max }) =>
    `${file} enthält ein Zahlenformat mit mehr als ${max} Zeichen, der Grenze von Excel. Öffnen Sie die Datei in einem Tabellenprogramm und speichern Sie sie noch einmal.`,
  'sheet-with-doctype': ({ file }) =>
    `${file} enthält einen Dokumenttyp (DOCTYPE), der nie gelesen wird. Speichern Sie die Datei noch einmal in einem Tabellenprogramm.`,
  'sheet-too-deep': ({ file, max }) => `${file} enthält mehr als ${max} Ebenen von Elementen.`,
  'sheet-text-too-long': ({ file }) => `${file} enthält einen Text von mehr als 8 MB. Entfernen Sie ihn.`,
  'sheet-damaged': ({ file }) =>
    `${file} ist eine beschädigte Tabelle. Öffnen Sie sie in einem Tabellenprogramm und speichern Sie sie noch einmal.`,

  'json-expected': ({ file }) =>
    `${file} ist kein JSON: weder ein Wert je Zeile noch eine Liste oder ein Dokument. Die Datei ist vielleicht abgeschnitten oder hat ein anderes Format.`,
  'json-truncated': ({ file, entry }) =>
    `${file} ist nach Eintrag ${entry} kein gültiges JSON und vielleicht abgeschnitten. Rufen Sie die Datei noch einmal ab oder exportieren Sie sie neu.`,
  'json-document-too-large': ({ file }) =>
    `${file} ist ein einziges JSON-Dokument von mehr als 64 MB. Teilen Sie es.`,
  'json-line-too-large': ({ file, line }) =>
    `${file} hat in Zeile ${line} mehr als 64 MB. Schreiben Sie einen Datensatz je Zeile oder eine JSON-Liste.`,
  'json-entry-too-large': ({ file, place }) =>
    `${file} hat ${placeInJson(place)} mehr als 64 MB. Lassen Sie diesen Teil weg oder teilen Sie ihn.`,
  'json-entry-too-many-values': ({ file, millions, place }) =>
    `${file} hat ${placeInJson(place)} mehr als ${millions} Millionen Werte. Lassen Sie diesen Teil weg oder teilen Sie ihn.`,
  'json-too-many-brackets': ({ file, entry }) =>
    `${file} hat in Eintrag ${entry} zu viele öffnende Klammern. Lassen Sie den Eintrag weg.`,
  'json-malformed': ({ file, problem }, words) => `${file}: ${words.reason(problem)}.`,
  'json-without-list': ({ file }) =>
    `${file} enthält im ersten MB keine Liste von Objekten. Beginnt eine Liste später, geben Sie ihren Pfad unter „Liste (JSON)“ an. Ist das ganze Objekt ein einziger Datensatz, geben Sie „[]“ an.`,
  'json-without-objects': ({ file, path }) => `${file} enthält unter „${path}“ keine Objekte mit Werten.`,
  'json-list-missing': ({ file, list, names }) =>
    `${file} enthält keine Liste „${list}“.${names.length > 0 ? ` Vorhandene Listen von Objekten: ${quoteNames(names)}.` : ''}`,
  'json-list-empty': ({ file, list }) => `${file} enthält${atPath(list)} eine leere Liste.`,
  'json-list-of-lists': ({ file, list }) =>
    `${file} enthält${atPath(list)} Listen anstelle von Objekten. Exportieren Sie die Daten als CSV oder als Liste von Objekten mit Namen.`,
  'json-list-in-text': ({ file, member }) =>
    `${file} enthält eine Liste innerhalb des Textes „${member}“, die nicht gelesen wird. Speichern Sie den Inhalt dieses Textes als Datei.`,
  'records-path-invalid': ({ path }) => `„${path}“ ist kein Pfad wie result.records oder data.edges[].node.`,

  'xml-encoding-unknown': ({ file, encoding }) =>
    `${file} nennt die unbekannte Zeichenkodierung „${encoding}“. Speichern Sie die Datei in UTF-8.`,
  'xml-with-doctype': ({ file, line }) =>
    `${file} enthält in Zeile ${line} oder davor einen Dokumenttyp (DOCTYPE), der nie gelesen wird. Entfernen Sie ihn.`,
  'xml-too-deep': ({ file, max, line }) =>
    `${file} enthält in Zeile ${line} mehr als ${max} Ebenen von Elementen.`,
  'xml-element-too-large': ({ file, mebibytes, line }) =>
    `${file} enthält ab Zeile ${line} ein Element, einen Text oder einen Kommentar von mehr als ${mebibytes} MB. Lassen Sie diesen Teil weg oder teilen Sie ihn.`,
  'xml-malformed': ({ file, from, to }) =>
    `${file} ist ${from === to ? `in Zeile ${to}` : `zwischen den Zeilen ${from} und ${to}`} kein wohlgeformtes XML. Die Datei ist vielleicht abgeschnitten. Rufen Sie sie noch einmal ab oder exportieren Sie sie neu.`,
};
