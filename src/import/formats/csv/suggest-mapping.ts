/** Drafts a mapping file from a table, and says in it what is guessed and has to be checked. */

import type { InputFile, InputOptions } from '../../readers/input-files.ts';
import {
  type Column,
  describeColumns,
  emptyWords,
  findCandidates,
  findKeyColumns,
  findStatusColumn,
  type InferredDate,
  inferDatePattern,
  inferStatus,
  isNamedFor,
  listDistinct,
  maxStatusWords,
} from './infer-columns.ts';
import { detectPersonalDataInText } from './pii-columns.ts';
import { sampleTables, type TableSample } from './table-sample.ts';

/** @throws InputError for files that an import could not read as a table either */
export async function suggestMapping(
  sources: readonly [InputFile, ...InputFile[]],
  options: InputOptions,
): Promise<string> {
  const sample = await sampleTables(sources, options);
  const columns = describeColumns(sample.header, sample.rows);
  const used = new Set<string>();
  const submission = fields(columns, sample, used);
  return [
    '# yaml-language-server: $schema=csv-mapping.schema.json',
    `# Drafted from ${shown(sample.name)}: its first line, the first rows below it (${sample.rows.length}), and every word of the status.`,
    '# All of it is guessed: check each line, those marked CHECK above all. Then try it with --dry-run.',
    ...faultLines(sample),
    '',
    ...form(sample, columns),
    '',
    'submission:',
    ...submission.map((line) => (line === '' ? '' : `  ${line}`)),
    '',
    ...leftOut(columns, used),
  ].join('\n');
}

/** The import reads the same rows, and says the same of them. */
function faultLines({ broken, unread }: TableSample): string[] {
  const lines: string[] = [];
  if (broken) {
    const rows = broken.count === 1 ? '1 row' : `${broken.count} rows`;
    lines.push(`# CHECK: an import would refuse ${rows}, as in ${oneLine(broken.first)}.`);
  }
  if (unread !== undefined) lines.push(`# CHECK: an import would stop early: ${oneLine(unread)}`);
  return lines;
}

function form({ delimiter, encoding, rows }: TableSample, columns: readonly Column[]): string[] {
  const seen = emptyWords.filter((word) => rows.some((row) => row.some((cell) => cell.trim() === word)));
  const dates = columns.flatMap((column) => (isDateColumn(column) ? [inferDatePattern(column.values)] : []));
  return [
    `delimiter: ${delimiter === '\t' ? 'tab' : JSON.stringify(delimiter)}`,
    `encoding: ${encoding} # ${encoding === 'windows-1252' ? 'CHECK: look at an accented letter after the import' : 'found in the file'}`,
    ...zone(dates.filter((date) => date !== undefined)),
    ...(seen.length > 0
      ? [`empty: [${seen.map(scalar).join(', ')}] # seen in cells; CHECK that they mean "nothing"`]
      : []),
  ];
}

/** A file does not say where it comes from; the way its dates are written gives a hint. */
function zone(dates: readonly InferredDate[]): string[] {
  const local = dates.filter(({ hasOffset }) => !hasOffset);
  if (dates.length > 0 && local.length === 0) return [];
  const american = local.some(({ form }) => /^MM?\/DD?\//.test(form));
  const place = american ? 'America/New_York' : 'Europe/Berlin';
  return [`timeZone: ${place} # CHECK: a file does not say it; the one of the municipality`];
}

function isDateColumn(column: Column): boolean {
  return (
    findCandidates('createdAt', [column]).length > 0 || findCandidates('statusChangedAt', [column]).length > 0
  );
}

function fields(columns: Column[], sample: TableSample, used: Set<string>): string[] {
  const free = () => columns.filter(({ name }) => !used.has(name));
  const take = (column: Column | undefined): Column | undefined => {
    if (column) used.add(column.name);
    return column;
  };
  const cellsOf = (names: string[]) => {
    const at = names.map((name) => sample.header.indexOf(name));
    return sample.rows.map((row) => JSON.stringify(at.map((index) => row[index]?.trim())));
  };
  // Those that are known by what is in them come first, before a likely name gives their column to another field.
  const key = findKeyColumns(columns, cellsOf);
  const createdAt = take(dateColumn('createdAt', free()));
  const changedAt = take(dateColumn('statusChangedAt', free()));
  const status = take(findStatusColumn(free(), ({ name }) => sample.statusWords.has(name)));
  const votes = take(findCandidates('supportCount', free()).find(({ values }) => values.every(isNumber)));
  const attachments = take(findCandidates('hasAttachments', free())[0]);
  const title = take(findCandidates('title', free()).find(isText));
  const text = take(findCandidates('description', free()).find(isText));
  const topic = take(findCandidates('topicCategoryName', free()).find(isText));
  const priority = take(findCandidates('priorityLevel', free()).find(isText));
  const number = take(findCandidates('referenceNumber', free()).find(({ values }) => values.length > 0));
  for (const name of key) used.add(name);
  return [
    ...idLines(key),
    ...(number ? [`referenceNumber: ${scalar(number.name)}`] : []),
    ...descriptionLines(title, text),
    ...(status ? statusLines(status, sample) : noStatusLines(free(), sample)),
    ...(topic ? [`topicCategoryName: ${scalar(topic.name)}`] : []),
    ...(priority
      ? [
          `priorityLevel: ${scalar(priority.name)} # CHECK: low, normal, high or urgent, or map its words with values`,
        ]
      : []),
    ...(votes ? countLines(votes) : []),
    ...(attachments ? attachmentLines(attachments) : []),
    ...dateLines('createdAt', createdAt),
    ...(changedAt ? dateLines('statusChangedAt', changedAt) : []),
  ];
}

const isText = ({ values }: Column) => values.some((value) => /\p{L}/u.test(value));
const isNumber = (value: string) => /^\d[\d.,' \u00a0\u202f]*$/.test(value);

function dateColumn(field: 'createdAt' | 'statusChangedAt', columns: readonly Column[]): Column | undefined {
  return findCandidates(field, columns).find(({ values }) => inferDatePattern(values) !== undefined);
}

function idLines(key: string[]): string[] {
  const [first, ...others] = key;
  if (first === undefined)
    return [
      '# id: CHECK: no column tells the rows apart. Name the columns that do so together, as in',
      '# id: [year, number, title]',
    ];
  if (others.length === 0)
    return [`id: ${scalar(first)} # CHECK: it must stay the same from export to export`];
  return [
    '# CHECK: no single column tells the rows apart; together these do, in the rows that were looked at.',
    `id: [${key.map(scalar).join(', ')}]`,
  ];
}

function descriptionLines(title: Column | undefined, text: Column | undefined): string[] {
  const columns = [title, text].filter((column) => column !== undefined);
  const [first, second] = columns;
  if (first === undefined) return ['# description: CHECK: no column found that says what is asked for.'];
  const warnings = columns.flatMap(({ name, values }) => {
    const within = detectPersonalDataInText(values);
    const damage = damagedText(values);
    return [
      ...(within === undefined
        ? []
        : [`# CHECK: some cells of ${shown(name)} hold ${within}; they would be published.`]),
      ...(damage === undefined
        ? []
        : [
            `# CHECK: some cells of ${shown(name)} have damaged characters, such as ${shown(damage)}: see "replace".`,
          ]),
    ];
  });
  if (second === undefined) return [...warnings, `description: ${scalar(first.name)}`];
  return [
    ...warnings,
    'description:',
    `  columns: [${scalar(first.name)}, ${scalar(second.name)}]`,
    '  join: "\\n\\n"',
  ];
}

/** What UTF-8 looks like once it was read as something else, and what stands for a character that was lost. */
const damaged =
  /[ÃÂ][\u0080-\u00bf]|â[\u0080-\u00bf€][\u0080-\u00bf\u2018-\u2122]?|äó[^\p{L}\s]|[\u0080-\u009f\ufffd]/u;

function damagedText(values: readonly string[]): string | undefined {
  return values.map((value) => damaged.exec(value)?.[0]).find((found) => found !== undefined);
}

function statusLines(column: Column, { statusWords }: TableSample): string[] {
  const mapped: string[] = [];
  const unknown: string[] = [];
  for (const { word, count } of statusWords.get(column.name) ?? []) {
    const ours = inferStatus(word, column);
    const rows = count === 1 ? '1 row' : `${count} rows`;
    if (ours === undefined)
      unknown.push(`    # ${scalar(word)}: … # ${rows}; CHECK: which of our words is it?`);
    else mapped.push(`    ${scalar(word)}: ${ours} # ${rows}`);
  }
  return [
    'status:',
    `  column: ${scalar(column.name)}`,
    '  # Every word of the column; CHECK. A row with any other word is refused, unless you add a default.',
    ...(mapped.length > 0 ? ['  values:', ...mapped] : ['  values: {}']),
    ...unknown,
  ];
}

function noStatusLines(free: readonly Column[], { statusWords }: TableSample): string[] {
  const many = free.find((column) => isNamedFor('status', column) && !statusWords.has(column.name));
  const why =
    many === undefined
      ? 'no column found'
      : `${shown(many.name)} has more than ${maxStatusWords} different words`;
  return [`# status: ${why}; every submission is "submitted".`];
}

function countLines(column: Column): string[] {
  const empty = column.isFull
    ? []
    : [`# CHECK: some cells of ${shown(column.name)} are empty; they become 0.`];
  return [...empty, ...countForm(column)];
}

function countForm({ name, values }: Column): string[] {
  const lines = ['supportCount:', `  column: ${scalar(name)}`];
  if (
    values.some((value) => /\d\.\d{3}(\D|$)/.test(value)) &&
    !values.some((value) => /\.\d{1,2}$/.test(value))
  )
    return [...lines, '  thousands: "." # CHECK', '  decimal: ","'];
  if (
    values.some((value) => /\d,\d{3}(\D|$)/.test(value)) &&
    !values.some((value) => /,\d{1,2}$/.test(value))
  )
    return [...lines, '  thousands: "," # CHECK'];
  if (values.some((value) => /\d[\s]\d{3}/.test(value))) return [...lines, '  thousands: " " # CHECK'];
  if (values.some((value) => /,\d/.test(value))) return [...lines, '  decimal: "," # CHECK'];
  return [`supportCount: ${scalar(name)}`];
}

/** A column that is always filled says it with a word. */
function attachmentLines({ name, values, isFull }: Column): string[] {
  const words = listDistinct(values);
  if (!isFull || words.length > 4 || words.length === 0)
    return [`hasAttachments: ${scalar(name)} # true where the cell is filled`];
  return [
    'hasAttachments:',
    `  column: ${scalar(name)}`,
    '  values: # CHECK',
    ...words.map((word) => `    ${scalar(word)}: ${!/^(0|no|nein|non|false|falsch|faux|n)$/i.test(word)}`),
    ...(words.every((word) => /^\d+$/.test(word)) ? ['  default: true # any other number'] : []),
  ];
}

function dateLines(field: string, column: Column | undefined): string[] {
  const date = column && inferDatePattern(column.values);
  if (column === undefined || date === undefined)
    return [`# ${field}: CHECK: no column found whose values are dates of a form that is known.`];
  const check = date.orElse === undefined ? '' : ` # CHECK: all values fit ${date.orElse} as well`;
  return [`${field}:`, `  column: ${scalar(column.name)}`, `  date: ${scalar(date.form)}${check}`];
}

function leftOut(columns: readonly Column[], used: ReadonlySet<string>): string[] {
  const personal = columns.flatMap(({ name, personal, isIdentifier }) => {
    const what = personal ?? (isIdentifier && !used.has(name) ? 'identifiers, by its name' : undefined);
    return what === undefined ? [] : [{ name, what }];
  });
  const listed = new Set(personal.map(({ name }) => name));
  const others = columns.filter(({ name }) => !listed.has(name) && !used.has(name));
  const noted = ({ name, values }: Column) =>
    `#   ${shown(name)}${values.length === 0 ? ': empty in the rows that were looked at' : ''}`;
  return [
    ...(personal.length > 0
      ? [
          '# Left out, as they seem to be personal data or to point at a person or a place; keep it so:',
          ...personal.map(({ name, what }) => `#   ${shown(name)}: ${what}`),
        ]
      : ['# No column seemed to be personal data; CHECK that this is so.']),
    ...(others.length > 0 ? ['# Not used:', ...others.map(noted)] : []),
  ];
}

/** As YAML reads it back as this very text. */
function scalar(text: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_/.-]*( [\p{L}\p{N}_/.-]+)*$/u.test(text);
  return isPlain && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

/** For a comment, which a line break would end. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ');
const shown = (text: string) => JSON.stringify(text.slice(0, 200));
