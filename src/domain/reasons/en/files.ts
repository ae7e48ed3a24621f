/** Why a file cannot be read, or not to its end, as sentences. */
import type { AnyReason, Words } from '../sentence-types.ts';

interface File {
  file: string;
}

/** Foreign text, such as that of the operating system. */
interface Detailed extends File {
  detail: string;
}

/** Files of an archive: the first ones, and the number of the others. */
interface Files extends File {
  names: readonly string[];
  others: number;
}

/** A byte that is not UTF-8: its position in the file, from 1, and its value in hexadecimal. */
interface StrayByte extends File {
  line: number;
  byte: number;
  value: string;
  /** Whether the user can name the encoding in a mapping. */
  mayName: boolean;
}

const formatStrayByte = ({ line, byte, value }: Omit<StrayByte, 'file' | 'mayName'>) =>
  `0x${value} in line ${line} (byte ${byte} of the file)`;

const quoteNames = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
const listFiles = ({ names, others }: Files) =>
  `${quoteNames(names)}${others > 0 ? ` and ${others} more` : ''}`;

const unclosedQuote = 'look for a quotation mark that is opened and never closed';

/** Where a JSON file is too large: in one of its entries, around its list, or in an object without one. */
export type JsonPlace = number | 'around' | 'object';

const placeInJson = (place: JsonPlace) =>
  typeof place === 'number' ? `in entry ${place}` : place === 'object' ? 'in one object' : 'around a list';

interface List extends File {
  /** Empty for the whole content. */
  list: string;
}

const atPath = (list: string) => (list === '' ? '' : ` at "${list}"`);

export const files = {
  'file-missing': ({ file }: File) => `There is no file ${file}.`,
  'file-unreadable': ({ file, detail }: Detailed) => `${file} cannot be read: ${detail}.`,
  'file-forbidden': ({ file, user }: File & { user: string }) =>
    `${file} cannot be read: the user ${user} has no permission. Let this user read the file and open its folders.`,
  'file-is-folder': ({ file }: File) => `${file} cannot be read: it is a folder.`,
  'file-not-utf8': ({ file }: File) => `${file} cannot be read: it is not UTF-8.`,
  'file-too-large': ({ file }: File) => `${file} cannot be read: it is larger than 64 MiB.`,
  'file-empty': ({ file }: File) => `${file} is empty.`,
  'file-not-json': ({ file, detail }: Detailed, { isPage }: Words) =>
    isPage ? 'The text is not valid JSON.' : `${file} is not JSON: ${detail}.`,
  'folder-without-files': ({ file, extensions }: File & { extensions: readonly string[] }) =>
    `The folder ${file} has no file of this format (${extensions.join(', ')}, also with .gz or in .zip), or all are empty.`,
  'temporary-folder-unwritable': ({ folder, detail }: { folder: string; detail: string }) =>
    `The folder for temporary files, ${folder}, is not writable: ${detail}.`,

  'file-is-7z': ({ file }: File) => `${file} is a 7z archive: unpack it and import its files.`,
  'file-is-rar': ({ file }: File) => `${file} is a rar archive: unpack it and import its files.`,
  'file-is-xz': ({ file }: File) => `${file} is compressed with xz: decompress it, or use gzip.`,
  'file-is-zstd': ({ file }: File) => `${file} is compressed with Zstandard: decompress it, or use gzip.`,
  'file-is-bzip2': ({ file }: File) => `${file} is compressed with bzip2: decompress it, or use gzip.`,
  'file-is-pdf': ({ file }: File) => `${file} is a PDF document: ask for its data as CSV or JSON.`,
  'file-is-sqlite': ({ file }: File) => `${file} is an SQLite database: export its tables as CSV.`,
  'file-is-web-page': ({ file }: File) =>
    `${file} is a web page (HTML). If a spreadsheet program opens it as a table, save it as .xlsx. Otherwise fetch it again, because it may be a sign-in or error page.`,
  'file-is-xml-spreadsheet': ({ file }: File) =>
    `${file} is a spreadsheet in XML: open it in a spreadsheet program and save it as .xlsx.`,
  'file-is-encrypted': ({ file }: File) =>
    `${file} is protected with a password: open it, remove the password, and save it. In Excel: File > Info > Protect Workbook > Encrypt with Password.`,
  'file-is-old-excel': ({ file }: File) =>
    `${file} is an old Excel workbook (.xls): open it and save it as .xlsx.`,
  'file-is-word': ({ file }: File) => `${file} is a Word document: ask for its data as a table.`,
  'file-is-old-office': ({ file }: File) =>
    `${file} is an old Office document: open it and save it as .xlsx or as CSV in UTF-8.`,
  'file-is-xlsb': ({ file }: File) =>
    `${file} is a binary Excel workbook (.xlsb): open it and save it as .xlsx.`,
  'file-is-office': ({ file }: File) =>
    `${file} is an Office document without tables: export its data as .xlsx or CSV.`,
  'file-is-numbers': ({ file }: File) =>
    `${file} is a document of Apple Numbers or Pages: export it as .xlsx or CSV.`,
  'file-is-opendocument': ({ file }: File) =>
    `${file} is an OpenDocument file without tables: export its data as .ods or CSV.`,
  'spreadsheet-encrypted': ({ file }: File) =>
    `${file} is protected with a password: open it, and save it without a password.`,
  'file-is-spreadsheet': ({ file }: File, { isPage }: Words) =>
    `${file} is a spreadsheet, and this format has no tables.${isPage ? '' : ' "rostra import detect" shows the format of a file.'}`,

  'archive-too-many-files': ({ file, max }: File & { max: number }) =>
    `${file} is a zip archive with more than ${max} files: unpack it.`,
  'archive-checksum-wrong': ({ file, entry }: File & { entry: string }) =>
    `${file} is damaged: the checksum of "${entry}" is wrong. Fetch it again.`,
  'archive-entry-encrypted': ({ file, entry }: File & { entry: string }) =>
    `${file} is protected with a password: unpack it, and import "${entry}".`,
  'archive-method-unknown': ({ file, entry, method }: File & { entry: string; method: number }) =>
    `${file} is compressed with a method that is not supported (${method}): unpack it, and import "${entry}".`,
  'archive-entry-too-large': ({ file, entry }: File & { entry: string }) =>
    `${file} has more than 4 GiB in "${entry}" when decompressed: unpack and split it.`,
  'archive-unsafe-name': ({ file }: File) =>
    `${file} is a zip archive with an unsafe file name: unpack it and import its files.`,
  'archive-encrypted': ({ file }: File) =>
    `${file} is protected with a password: unpack it and import its files.`,
  'archive-in-parts': ({ file }: File) => `${file} is one part of a zip archive in several parts: unpack it.`,
  'archive-damaged': ({ file }: File) => `${file} is a truncated or damaged zip archive. Fetch it again.`,
  'archive-nested': ({ file, entry }: File & { entry?: string }) =>
    `${file} contains another archive${entry === undefined ? '' : `, "${entry}"`}: unpack it.`,
  'archive-empty': ({ file }: File) => `${file} is a zip archive without files, or all are empty.`,
  'archive-several-files': (values: Files) =>
    `${values.file} has several files: ${listFiles(values)}. Unpack it, and import its folder or one file.`,
  'archive-without-format': ({ extensions, ...values }: Files & { extensions: readonly string[] }) =>
    `${values.file} has no file of this format (${extensions.join(', ')}, also with .gz): it has ${listFiles(values)}.`,
  'archive-grows': ({ file, entry, max }: File & { entry: string | undefined; max: number }) =>
    `${file} is not read, because ${entry === undefined ? 'it' : `"${entry}"`} grows more than ${max}-fold when decompressed, as in an attack (zip bomb). If you trust it, unpack it.`,
  'archive-needs-file': ({ file }: File) =>
    `${file} is a spreadsheet or zip archive of more than 1 GiB, which can only be read as an uncompressed file: save it, and import the file.`,
  'gzip-twice': ({ file }: File) => `${file} is compressed twice: decompress it once.`,
  'gzip-truncated': ({ file }: File) => `${file} is truncated: the gzip data is incomplete. Fetch it again.`,
  'gzip-damaged': ({ file, detail }: Detailed) => `${file} is damaged: ${detail}. Fetch it again.`,

  'encoding-unknown': ({ encoding }: { encoding: string }) =>
    `Unknown encoding "${encoding}". Known ones are utf-8, utf-16le and windows-1252, for example.`,
  'encoding-wrong': ({ file, encoding, mayName }: File & { encoding: string; mayName: boolean }) =>
    `${file} is not ${encoding.toUpperCase()} throughout: save it as UTF-8${mayName ? ', or name its encoding in the mapping' : ''}.`,
  'not-utf8': ({ file, mayName, ...stray }: StrayByte) =>
    `${file} is not UTF-8: save it as UTF-8${mayName ? ', or name its encoding in the mapping, as in "encoding: windows-1252"' : ''}. The first byte that is not UTF-8 is ${formatStrayByte(stray)}.`,
  'utf8-damaged': ({ file, mayName, ...stray }: StrayByte) =>
    `${file} is UTF-8, but not throughout: the first byte that is not UTF-8 is ${formatStrayByte(stray)}. Correct this character, and save the file as UTF-8.${mayName ? ' If the whole file has another encoding, name that in the mapping, as in "encoding: windows-1252".' : ''}`,
  'encoding-utf16': ({ file }: File) => `${file} is UTF-16: save it as UTF-8.`,

  'table-expected': ({ file }: File) => `${file} is not a table. Use CSV, TSV, .xlsx or .ods.`,
  'table-without-rows': ({ files }: { files: readonly string[] }) =>
    `${files.join(', ')} is not a table with a first line of column names, and rows.`,
  'table-columns-differ': ({ file, other }: File & { other: string }, { isPage }: Words) =>
    `${file} has other columns than ${other}: ${isPage ? 'import the files separately' : 'draft a mapping for each'}.`,
  'table-rows-malformed': ({ problem }: { problem: AnyReason }, words: Words) => `${words.reason(problem)}.`,
  'table-too-many-columns': ({ file, max }: File & { max: number }) =>
    `${file} has more than ${max.toLocaleString('en')} columns: export only those that are needed.`,
  'column-repeated': ({ file, first, second }: File & { first: string; second: string }) =>
    `${file} has the same name over columns ${first} and ${second}: rename one of them.`,
  'survey-header-missing': ({ file }: File) =>
    `${file} seems to lack a first line of headings: its first line has the same answers as other lines. Add the questions as headings.`,
  'csv-header-malformed': ({ file, line, fault }: File & { line: number; fault: AnyReason }, words: Words) =>
    `${file}, line ${line}: ${words.reason(fault)}.`,
  'csv-row-unclosed': ({ file, line, lines }: File & { line: number; lines: number }) =>
    `${file} has a row that begins in line ${line} and does not end, so ${lines === 1 ? 'this line was' : `${lines} lines were`} not read: ${unclosedQuote}.`,
  'csv-row-too-large': ({ file, line }: File & { line: number }) =>
    `${file} has a row of more than 4 MiB that begins in line ${line}: leave it out, or ${unclosedQuote}.`,
  'csv-unreadable': ({ file, fault }: File & { fault: AnyReason }, words: Words) =>
    `${file} cannot be read as CSV: ${words.reason(fault)}.`,

  'sheet-unknown': ({ file, sheet, names }: File & { sheet: string; names: readonly string[] }) =>
    `${file} has no sheet "${sheet}". Its sheets are ${quoteNames(names)}.`,
  'sheets-without-data': ({ file }: File) => `${file} has no sheet with data.`,
  'sheet-ambiguous': ({ file, names }: File & { names: readonly string[] }, { isPage }: Words) =>
    `${file} has several sheets with data: ${quoteNames(names)}. ${isPage ? 'Choose one of them.' : `Name one, as in --sheet "${names[0]}".`}`,
  'header-row-missing': ({ file, row }: { file: string; row: number }) =>
    `${file} has no row ${row} with headings.`,
  'sheet-empty': ({ file, sheet }: File & { sheet: string }) => `${file} has no data in sheet "${sheet}".`,
  'sheet-header-faulty': ({ file, cell, fault }: File & { cell: string; fault: AnyReason }, words: Words) =>
    `${file} ${words.reason(fault)}, in ${cell}.`,
  'sheet-too-many-columns': ({ file, max }: File & { max: number }) =>
    `${file} has more than ${max} columns.`,
  'sheet-row-too-large': ({ file, row }: File & { row: number }) =>
    `${file} has more than 4 MiB in row ${row}: leave it out.`,
  'sheet-repeats-cells': ({ file }: File) =>
    `${file} repeats the same cells millions of times: remove the filled rows below the data.`,
  'sheet-cell-too-long': ({ file }: File) =>
    `${file} has a cell with more than 100,000 characters: leave it out.`,
  'sheet-too-many-texts': ({ file, max }: File & { max: number }) =>
    `${file} has more than ${max} different texts: split it.`,
  'sheet-format-too-long': ({ file, max }: File & { max: number }) =>
    `${file} has a number format of more than ${max} characters, the limit of Excel: open it in a spreadsheet program and save it again.`,
  'sheet-with-doctype': ({ file }: File) =>
    `${file} has a document type (DOCTYPE) inside, which is never read: save it again in a spreadsheet program.`,
  'sheet-too-deep': ({ file, max }: File & { max: number }) =>
    `${file} has more than ${max} levels of elements inside.`,
  'sheet-text-too-long': ({ file }: File) => `${file} has a text of more than 8 MiB inside: remove it.`,
  'sheet-damaged': ({ file }: File) =>
    `${file} is a damaged spreadsheet: open it in a spreadsheet program and save it again.`,

  'json-expected': ({ file }: File) =>
    `${file} is not JSON: neither one value per line, nor an array, nor one document. It may be truncated, or in another format.`,
  'json-truncated': ({ file, entry }: File & { entry: number }) =>
    `${file} is not valid JSON after entry ${entry}; it may be truncated. Fetch or export it again.`,
  'json-document-too-large': ({ file }: File) =>
    `${file} is one JSON document of more than 64 MiB: split it.`,
  'json-line-too-large': ({ file, line }: File & { line: number }) =>
    `${file} has more than 64 MiB in line ${line}: write one record per line, or one JSON array.`,
  'json-entry-too-large': ({ file, place }: File & { place: JsonPlace }) =>
    `${file} has more than 64 MiB ${placeInJson(place)}: leave it out, or split it.`,
  'json-entry-too-many-values': ({ file, millions, place }: File & { millions: number; place: JsonPlace }) =>
    `${file} has more than ${millions} million values ${placeInJson(place)}: leave it out, or split it.`,
  'json-too-many-brackets': ({ file, entry }: File & { entry: number }) =>
    `${file} has too many opening brackets in entry ${entry}: leave it out.`,
  'json-malformed': ({ file, problem }: File & { problem: AnyReason }, words: Words) =>
    `${file} ${words.reason(problem)}.`,
  'json-without-list': ({ file }: File, { isPage }: Words) =>
    `${file} has no list of objects in its first MiB. If a list begins later, name its path ${isPage ? 'under List (JSON)' : 'with --records'}. If the whole object is one record, name "[]".`,
  'json-without-objects': ({ file, path }: File & { path: string }) =>
    `${file} has no objects with values at "${path}".`,
  'json-list-missing': ({ file, list, names }: File & { list: string; names: readonly string[] }) =>
    `${file} has no list "${list}".${names.length > 0 ? ` Its lists of objects are ${quoteNames(names)}.` : ''}`,
  'json-list-empty': ({ file, list }: List) => `${file} has an empty list${atPath(list)}.`,
  'json-list-of-lists': ({ file, list }: List) =>
    `${file} has lists in place of objects${atPath(list)}: export it as CSV, or as a list of objects with names.`,
  'json-list-in-text': ({ file, member }: File & { member: string }) =>
    `${file} has a list inside a text, "${member}", which is not read: save the content of this text as a file.`,
  'records-path-invalid': ({ path }: { path: string }) =>
    `"${path}" is not a path such as result.records or data.edges[].node.`,

  'xml-encoding-unknown': ({ file, encoding }: File & { encoding: string }) =>
    `${file} declares the unknown encoding "${encoding}": save it as UTF-8.`,
  'xml-with-doctype': ({ file, line }: File & { line: number }) =>
    `${file} has a document type (DOCTYPE), which may define entities and is never read: remove it, at line ${line} or before.`,
  'xml-too-deep': ({ file, max, line }: File & { max: number; line: number }) =>
    `${file} has more than ${max} levels of elements, at line ${line}.`,
  'xml-element-too-large': ({ file, mebibytes, line }: File & { mebibytes: number; line: number }) =>
    `${file} has an element, text or comment of more than ${mebibytes} MiB, from line ${line} on: leave it out, or split it.`,
  'xml-malformed': ({ file, from, to, detail }: Detailed & { from: number; to: number }) =>
    `${file} is not well-formed XML ${from === to ? `at line ${to}` : `between lines ${from} and ${to}`}: ${detail}. It may be truncated: fetch or export it again.`,
};
