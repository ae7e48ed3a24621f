/** Drafts a mapping file from a table. Comments in the draft mark the lines to check. */
import type { InputFile, InputOptions } from '../../readers/input-files.ts';
import {
  type Column,
  describeColumns,
  emptyWords,
  findCandidates,
  findKeyColumns,
  findStatusColumn,
  hasNameFor,
  type InferredField,
  inferDatePattern,
  inferStatus,
  listDistinct,
  maxStatusWords,
} from './infer-columns.ts';
import { detectPersonalDataInText } from './pii-columns.ts';
import { sampleTables, type TableSample } from './table-sample.ts';

/** @throws InputError for files that an import could not read as a table */
export async function suggestMapping(
  sources: readonly [InputFile, ...InputFile[]],
  options: InputOptions,
): Promise<string> {
  const sample = await sampleTables(sources, options);
  const columns = describeColumns(sample.header, sample.rows);
  const used = new Set<string>();
  const submission = draftFields(columns, sample, used);
  return [
    '# yaml-language-server: $schema=table-mapping.schema.json',
    `# Drafted from ${quote(sample.name)}: its first line, the first rows below it (${sample.rows.length}), and every word of the status.`,
    '# Every line is a guess: check all, first those marked CHECK. Then try the mapping with --dry-run.',
    ...describeReadErrors(sample),
    '',
    ...draftDialect(sample),
    '',
    'submission:',
    ...submission.map((line) => `  ${line}`),
    '',
    ...listUnusedColumns(columns, used),
  ].join('\n');
}

function describeReadErrors({ malformed, readError }: TableSample): string[] {
  const lines: string[] = [];
  if (malformed)
    lines.push(
      `# CHECK: an import would reject ${formatRows(malformed.count)}, as in ${joinLines(malformed.first)}.`,
    );
  if (readError !== undefined) lines.push(`# CHECK: an import would stop early: ${joinLines(readError)}`);
  return lines;
}

function draftDialect({ delimiter, encoding, rows }: TableSample): string[] {
  const seen = emptyWords.filter((word) => rows.some((row) => row.some((cell) => cell.trim() === word)));
  return [
    // A sheet of a spreadsheet has neither delimiter nor encoding.
    ...(delimiter === ''
      ? []
      : [
          `delimiter: ${delimiter === '\t' ? 'tab' : JSON.stringify(delimiter)}`,
          `encoding: ${encoding} # ${encoding === 'windows-1252' ? 'CHECK: look at an accented letter after the import' : 'found in the file'}`,
        ]),
    ...(seen.length > 0
      ? [`empty: [${seen.map(toScalar).join(', ')}] # seen in cells; CHECK that they mean "nothing"`]
      : []),
  ];
}

function draftFields(columns: Column[], sample: TableSample, used: Set<string>): string[] {
  const listUnused = () => columns.filter(({ name }) => !used.has(name));
  const use = (column: Column | undefined) => {
    if (column) used.add(column.name);
    return column;
  };
  const pick = (field: InferredField, test: (column: Column) => boolean) =>
    use(findCandidates(field, listUnused()).find(test));
  const key = findKeyColumns(columns, (names) => {
    const indexes = names.map((name) => sample.header.indexOf(name));
    return sample.rows.map((row) => JSON.stringify(indexes.map((index) => row[index]?.trim())));
  });
  // Fields with characteristic values choose first, before another field takes their column by its name.
  const createdAt = pick('createdAt', hasDates);
  const changedAt = pick('statusChangedAt', hasDates);
  const status = use(findStatusColumn(listUnused(), ({ name }) => sample.statusWords.has(name)));
  const votes = pick('supportCount', ({ values }) => values.every(isNumber));
  const attachments = pick('hasAttachments', () => true);
  const title = pick('title', hasLetters);
  const text = pick('description', hasLetters);
  const topic = pick('topicCategoryName', hasLetters);
  const priority = pick('priorityLevel', hasLetters);
  const number = pick('referenceNumber', () => true);
  for (const name of key) used.add(name);
  return [
    ...draftId(key),
    ...(number ? [`referenceNumber: ${toScalar(number.name)}`] : []),
    ...draftDescription(title, text),
    ...(status ? draftStatus(status, sample) : explainMissingStatus(listUnused(), sample)),
    ...(topic ? [`topicCategoryName: ${toScalar(topic.name)}`] : []),
    ...(priority
      ? [
          `priorityLevel: ${toScalar(priority.name)} # CHECK: low, normal, high or urgent, or map its words with values`,
        ]
      : []),
    ...(votes ? draftSupportCount(votes) : []),
    ...(attachments ? draftAttachments(attachments) : []),
    ...draftTime('createdAt', createdAt),
    ...(changedAt ? draftTime('statusChangedAt', changedAt) : []),
  ];
}

const hasLetters = ({ values }: Column) => values.some((value) => /\p{L}/u.test(value));
const hasDates = ({ values }: Column) => inferDatePattern(values) !== undefined;
const isNumber = (value: string) => /^\d[\d.,' \u00a0\u202f]*$/.test(value);

function draftId(key: string[]): string[] {
  const [first, ...others] = key;
  if (first === undefined)
    return [
      '# id: CHECK: no column identifies the rows. Name the columns that do so together, as in',
      '# id: [year, number, title]',
    ];
  if (others.length === 0)
    return [`id: ${toScalar(first)} # CHECK: it must stay the same from export to export`];
  return [
    '# CHECK: no single column identifies the rows; together these do, in the sampled rows.',
    `id: [${key.map(toScalar).join(', ')}]`,
  ];
}

function draftDescription(title: Column | undefined, text: Column | undefined): string[] {
  const columns = [title, text].filter((column) => column !== undefined);
  const [first, second] = columns;
  if (first === undefined) return ['# description: CHECK: no column with a text found.'];
  const warnings = columns.flatMap(({ name, values }) => {
    const personal = detectPersonalDataInText(values);
    const damage = values.map((value) => damagedText.exec(value)?.[0]).find(Boolean);
    return [
      ...(personal === undefined
        ? []
        : [`# CHECK: some cells of ${quote(name)} contain ${personal}; they would be published.`]),
      ...(damage === undefined
        ? []
        : [
            `# CHECK: some cells of ${quote(name)} have damaged characters, such as ${quote(damage)}: see "replace".`,
          ]),
    ];
  });
  if (second === undefined) return [...warnings, `description: ${toScalar(first.name)}`];
  return [
    ...warnings,
    'description:',
    `  columns: [${toScalar(first.name)}, ${toScalar(second.name)}]`,
    '  join: "\\n\\n"',
  ];
}

/** UTF-8 that was decoded as another encoding, and replacements for lost characters. */
const damagedText =
  /[ÃÂ][\u0080-\u00bf]|â[\u0080-\u00bf€][\u0080-\u00bf\u2018-\u2122]?|äó[^\p{L}\s]|[\u0080-\u009f\ufffd]/u;

function draftStatus(column: Column, { statusWords }: TableSample): string[] {
  const mapped: string[] = [];
  const unknown: string[] = [];
  for (const { word, count } of statusWords.get(column.name) ?? []) {
    const status = inferStatus(word, column);
    if (status === undefined)
      unknown.push(`    # ${toScalar(word)}: … # ${formatRows(count)}; CHECK: write the published status`);
    else mapped.push(`    ${toScalar(word)}: ${status} # ${formatRows(count)}`);
  }
  return [
    'status:',
    `  column: ${toScalar(column.name)}`,
    '  # Every word of the column; CHECK. A row with any other word is rejected, unless you add a default.',
    ...(mapped.length > 0 ? ['  values:', ...mapped] : ['  values: {}']),
    ...unknown,
  ];
}

const formatRows = (count: number) => (count === 1 ? '1 row' : `${count} rows`);

function explainMissingStatus(unused: readonly Column[], { statusWords }: TableSample): string[] {
  const tooManyWords = unused.find((column) => hasNameFor('status', column) && !statusWords.has(column.name));
  const reason =
    tooManyWords === undefined
      ? 'no column found'
      : `${quote(tooManyWords.name)} has more than ${maxStatusWords} different words`;
  return [`# status: ${reason}; every submission is "submitted".`];
}

function draftSupportCount({ name, values, isFull }: Column): string[] {
  const separators = draftSeparators(values);
  return [
    ...(isFull ? [] : [`# CHECK: some cells of ${quote(name)} are empty; they become 0.`]),
    ...(separators.length === 0
      ? [`supportCount: ${toScalar(name)}`]
      : ['supportCount:', `  column: ${toScalar(name)}`, ...separators]),
  ];
}

function draftSeparators(values: readonly string[]): string[] {
  const some = (pattern: RegExp) => values.some((value) => pattern.test(value));
  if (some(/\d\.\d{3}(\D|$)/) && !some(/\.\d{1,2}$/)) return ['  thousands: "." # CHECK', '  decimal: ","'];
  if (some(/\d,\d{3}(\D|$)/) && !some(/,\d{1,2}$/)) return ['  thousands: "," # CHECK'];
  if (some(/\d[\s]\d{3}/)) return ['  thousands: " " # CHECK'];
  return some(/,\d/) ? ['  decimal: "," # CHECK'] : [];
}

/** A column that is always filled has words for yes and no. */
function draftAttachments({ name, values, isFull }: Column): string[] {
  const words = listDistinct(values);
  if (!isFull || words.length > 4 || words.length === 0)
    return [`hasAttachments: ${toScalar(name)} # true where the cell is filled`];
  return [
    'hasAttachments:',
    `  column: ${toScalar(name)}`,
    '  values: # CHECK',
    ...words.map((word) => `    ${toScalar(word)}: ${!/^(0|no|nein|non|false|falsch|faux|n)$/i.test(word)}`),
    ...(words.every((word) => /^\d+$/.test(word)) ? ['  default: true # any other number'] : []),
  ];
}

function draftTime(field: string, column: Column | undefined): string[] {
  const date = column && inferDatePattern(column.values);
  if (column === undefined || date === undefined)
    return [`# ${field}: CHECK: no column found whose values match a known date pattern.`];
  const check =
    date.alternative === undefined ? '' : ` # CHECK: all values match ${date.alternative} as well`;
  return [`${field}:`, `  column: ${toScalar(column.name)}`, `  date: ${toScalar(date.pattern)}${check}`];
}

function listUnusedColumns(columns: readonly Column[], used: ReadonlySet<string>): string[] {
  const unused: string[] = [];
  const personal: string[] = [];
  for (const column of columns) {
    const isUsed = used.has(column.name);
    const reason =
      column.personal ?? (column.isIdentifier && !isUsed ? 'identifiers, by its name' : undefined);
    const note = column.values.length === 0 ? ': empty in the sampled rows' : '';
    if (reason !== undefined) personal.push(`#   ${quote(column.name)}: ${reason}`);
    else if (!isUsed) unused.push(`#   ${quote(column.name)}${note}`);
  }
  return [
    ...(personal.length > 0
      ? [
          '# Left out, because they seem to be personal data, or to identify a person or a place:',
          ...personal,
        ]
      : ['# No column seems to be personal data; CHECK this.']),
    ...(unused.length > 0 ? ['# Not used:', ...unused] : []),
  ];
}

/** A YAML scalar with exactly this text. */
function toScalar(text: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_/.-]*( [\p{L}\p{N}_/.-]+)*$/u.test(text);
  return isPlain && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

/** A line break would end a comment. */
const joinLines = (text: string) => text.replace(/\s+/g, ' ');
const quote = (text: string) => JSON.stringify(text.slice(0, 200));
