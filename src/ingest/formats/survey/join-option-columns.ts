/** Finds the columns for the options of one question in tables of systems that head them in their own way. */
import { isOtherItem, isTicked, isUnticked } from '../survey-responses/answer-words.ts';
import type { OptionHeading } from '../survey-responses/response-systems.ts';
import type { ColumnCounts } from './count-column-values.ts';

interface OptionColumn {
  column: ColumnCounts;
  question: string;
  option: string;
  form: OptionHeading;
}

/**
 * Heads the columns for options as `Question [Option]`.
 *
 * @param isDetected whether the user has named no columns: columns that repeat the joined ones are left out
 */
export function joinOptionColumns(
  columns: readonly ColumnCounts[],
  forms: readonly OptionHeading[],
  isDetected: boolean,
): ColumnCounts[] {
  const headings = new Set(columns.map(({ column }) => column.heading));
  const found = forms.some(({ separator }) => separator === '')
    ? findOptionsAlone(columns)
    : columns.flatMap((column) => splitOption(column, forms) ?? []);
  const groups = Map.groupBy(found, ({ question }) => question);
  const joined = found.filter(({ question, form }) => {
    const group = groups.get(question) ?? [];
    return (!form.hasOwnColumn || headings.has(question)) && (areOptions(group) || form.separator === '');
  });
  const byColumn = new Map(joined.map((option) => [option.column, option]));
  const repeated = new Set(joined.flatMap(({ question, form }) => (form.hasOwnColumn ? [question] : [])));
  return columns
    .filter(({ column }) => !isDetected || !repeated.has(column.heading))
    .map((column) => {
      const { question, option } = byColumn.get(column) ?? {};
      if (question === undefined) return column;
      return { ...column, column: { ...column.column, heading: `${question} [${option}]` } };
    });
}

function splitOption(column: ColumnCounts, forms: readonly OptionHeading[]): OptionColumn | undefined {
  const { heading } = column.column;
  for (const form of forms) {
    const { separator, end = '', isOptionFirst = false } = form;
    const text = heading.endsWith(end) ? heading.slice(0, heading.length - end.length) : '';
    const position = isOptionFirst ? text.indexOf(separator) : text.lastIndexOf(separator);
    const parts = [text.slice(0, Math.max(position, 0)), text.slice(position + separator.length)];
    const [question = '', option = ''] = (isOptionFirst ? parts.toReversed() : parts).map((part) =>
      part.trim(),
    );
    if (position > 0 && question !== '' && option !== '' && !/[[\]]/.test(option))
      return { column, question, option: nameOther(option), form };
  }
  return undefined;
}

/** "Other - Write In" */
function nameOther(option: string): string {
  const [name = ''] = option.split(' - ', 1);
  return isOtherItem(name) ? name : option;
}

const areOptions = (group: readonly OptionColumn[]): boolean =>
  group.length >= 2 &&
  group.some(({ column, option }) => column.filled > 0 && !isOtherItem(option)) &&
  group.every((each) => isOtherItem(each.option) || isOption(each));

/** Whether the cells are the option, a tick, or empty. A column of yes and no is a question, unless its system writes so. */
function isOption({ column: { values, isFreeText }, option, form }: OptionColumn): boolean {
  const chosen = [...values.keys()].filter((value) => !(form.hasNo && isUnticked(value)));
  return (
    !isFreeText &&
    chosen.length <= 1 &&
    chosen.every((value) => value.toLowerCase() === option.toLowerCase() || isTicked(value))
  );
}

/** Options in the text of a question that the table lacks. */
const maxNamedOptions = 5;

/** Adjacent columns that are headed by their only answer, and by no question. */
function findOptionsAlone(columns: readonly ColumnCounts[]): OptionColumn[] {
  const runs: ColumnCounts[][] = [[]];
  for (const column of columns)
    if (column.values.size === 1 && column.values.has(column.column.heading)) runs.at(-1)?.push(column);
    else runs.push([]);
  return runs.flatMap((run) => {
    const options = run.map(({ column }) => column.heading.replaceAll(/[[\]]/g, ''));
    const question = `${options.slice(0, maxNamedOptions).join(' / ')}${options.length > maxNamedOptions ? ' / …' : ''}`;
    return run.map((column, index) => ({
      column,
      question,
      option: options[index] as string,
      form: { separator: '' },
    }));
  });
}
