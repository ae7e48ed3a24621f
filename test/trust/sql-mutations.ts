/** Mutations of the SQL in a source file, like those of Stryker, which mutates code only. */
import { findSqlTexts, hole, type SqlText } from './sql-texts.ts';

export interface SourceMutation {
  /** Kind of the mutation. */
  name: string;
  /** Positions in the source. */
  start: number;
  end: number;
  replacement: string;
}

interface Token {
  /** In capitals. */
  text: string;
  /** Positions in the SQL. */
  start: number;
  end: number;
  /** Number of open parentheses; of a parenthesis itself, those around it. */
  depth: number;
}

const tokenPattern = new RegExp(
  `--[^\\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|${hole}+|\\$?\\d+|[A-Za-z_]\\w*|::|<>|<=|>=|\\|\\||[-+*/%<>=(),.;[\\]]`,
  'g',
);

/** The end of an operand: a name, a value or a closing parenthesis. */
const operandPattern = new RegExp(`^[\\w$'")${hole}]`);

const operators: Record<string, readonly string[]> = {
  '=': ['<>'],
  '<>': ['='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};

const functions: Record<string, string> = {
  MIN: 'max',
  MAX: 'min',
  LEAST: 'greatest',
  GREATEST: 'least',
  FLOOR: 'ceil',
  CEIL: 'floor',
};

const constants: Record<string, string> = { TRUE: 'false', FALSE: 'true', 0: '1', 1: '0' };

/** An operand cannot contain these, outside of parentheses. */
const clauses = new Set(
  'SELECT FROM WHERE SET VALUES ON USING JOIN LEFT CROSS INNER GROUP HAVING ORDER BY LIMIT OFFSET RETURNING UNION ALL CASE WHEN THEN ELSE END AS DO WITH'.split(
    ' ',
  ),
);

const conditionStarts = new Set(['WHERE', 'ON', 'HAVING', 'WHEN']);

function tokenize(sql: string): Token[] {
  let depth = 0;
  return Array.from(sql.matchAll(tokenPattern), ({ 0: text, index }) => {
    if (text === ')') depth -= 1;
    const token = { text: text.toUpperCase(), start: index, end: index + text.length, depth };
    if (text === '(') depth += 1;
    return token;
  }).filter(({ text }) => !text.startsWith('--'));
}

/** @returns in the order of their positions, each once */
export function listSqlMutations(source: string): SourceMutation[] {
  const mutations = findSqlTexts(source).flatMap((text) => mutateText(source, text));
  const changes = mutations.filter(({ start, end, replacement }) => source.slice(start, end) !== replacement);
  const unique = new Map(
    changes.map((mutation) => [`${mutation.start} ${mutation.end} ${mutation.replacement}`, mutation]),
  );
  return [...unique.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

function mutateText(source: string, { start: offset, text: sql }: SqlText): SourceMutation[] {
  const tokens = tokenize(sql);
  const mutations: SourceMutation[] = [];
  const getText = (index: number) => tokens[index]?.text ?? '';
  /** Replaces the tokens from `first` to before `end`. */
  const replace = (name: string, first: number, end: number, replacement: string) =>
    mutations.push({
      name: `SQL ${name}`,
      start: offset + (tokens[first] as Token).start,
      end: offset + (tokens[end - 1] as Token).end,
      replacement,
    });
  const read = (first: number, end: number) =>
    source.slice(offset + (tokens[first] as Token).start, offset + (tokens[end - 1] as Token).end);

  const findNext = (text: string, from: number, depth: number) =>
    tokens.findIndex((token, index) => index > from && token.text === text && token.depth === depth);
  const rangeSeparators = new Set(
    tokens.map(({ text, depth }, index) => (text === 'BETWEEN' ? findNext('AND', index, depth) : -1)),
  );
  const isLogical = (index: number) =>
    getText(index) === 'OR' || (getText(index) === 'AND' && !rangeSeparators.has(index));
  const isClause = (index: number) =>
    clauses.has(getText(index)) && !(getText(index) === 'FROM' && getText(index - 1) === 'DISTINCT');
  const isBoundary = (index: number, depth: number) => {
    const token = tokens[index];
    if (token === undefined || token.depth < depth) return true;
    return token.depth === depth && (isClause(index) || [',', ';'].includes(token.text) || isLogical(index));
  };
  const findEnd = (first: number, depth = tokens[first]?.depth ?? 0) => {
    let end = first;
    while (!isBoundary(end, depth)) end += 1;
    return end;
  };
  const findStart = (end: number, depth: number) => {
    let first = end;
    while (!isBoundary(first - 1, depth)) first -= 1;
    return first;
  };
  const isOperand = (index: number) =>
    operandPattern.test(getText(index)) && !isClause(index) && !isLogical(index);

  function replaceCondition(first: number, end: number): void {
    if (first >= end) return;
    for (const value of ['true', 'false']) replace('condition', first, end, value);
  }

  function findClause(index: number, depth: number): string {
    for (let before = index - 1; before >= 0; before -= 1) {
      const token = tokens[before] as Token;
      if (token.depth < depth) return '';
      if (token.depth === depth && isClause(before)) return token.text;
    }
    return '';
  }

  /** Excludes the first and the last value of `x BETWEEN a AND b`. */
  function narrowRange(between: number, depth: number): void {
    const and = findNext('AND', between, depth);
    const end = findEnd(and + 1, depth);
    const isNegated = getText(between - 1) === 'NOT';
    const valueEnd = isNegated ? between - 1 : between;
    const first = findStart(valueEnd, depth);
    const [value, from, to] = [read(first, valueEnd), read(between + 1, and), read(and + 1, end)];
    for (const range of [
      `${value} > ${from} AND ${value} <= ${to}`,
      `${value} >= ${from} AND ${value} < ${to}`,
    ])
      replace('range', first, end, `${isNegated ? 'NOT ' : ''}(${range})`);
  }

  function reverseOrder(first: number, depth: number): void {
    for (let item = first; ; ) {
      const end = findEnd(item, depth);
      const last = getText(end - 1);
      if (last === 'DESC' || last === 'ASC') replace('order', end - 1, end, last === 'DESC' ? 'ASC' : 'DESC');
      else replace('order', item, end, `${read(item, end)} DESC`);
      if (getText(end) !== ',') return;
      item = end + 1;
    }
  }

  /** Leaves the first argument, and all others. */
  function splitCoalesce(name: number, depth: number): void {
    const close = findNext(')', name, depth);
    const firstEnd = findEnd(name + 2);
    if (getText(firstEnd) !== ',') return;
    replace('coalesce', name, close + 1, read(name + 2, firstEnd));
    const rest = read(firstEnd + 1, close);
    const isSingle = findEnd(firstEnd + 1) === close;
    replace('coalesce', name, close + 1, isSingle ? rest : `coalesce(${rest})`);
  }

  for (const [index, { text, depth }] of tokens.entries()) {
    const next = getText(index + 1);
    const isOperator = text in operators && isOperand(index - 1);
    if (isOperator && !(text === '=' && findClause(index, depth) === 'SET'))
      for (const other of operators[text] ?? []) replace('operator', index, index + 1, other);
    if (isLogical(index)) {
      replace('logical operator', index, index + 1, text === 'AND' ? 'OR' : 'AND');
      replaceCondition(findStart(index, depth), index);
      replaceCondition(index + 1, findEnd(index + 1, depth));
    }
    if (conditionStarts.has(text) && next !== 'CONFLICT')
      replaceCondition(index + 1, findEnd(index + 1, depth));
    if (text === 'IIF') replaceCondition(index + 2, findEnd(index + 2));
    if (text === 'IS' && next === 'NOT') replace('negation', index, index + 2, 'IS');
    else if (text === 'IS') replace('negation', index, index + 1, 'IS NOT');
    if (['BETWEEN', 'IN', 'EXISTS', 'LIKE'].includes(text)) {
      const isNegated = getText(index - 1) === 'NOT';
      replace('negation', isNegated ? index - 1 : index, index + 1, isNegated ? text : `NOT ${text}`);
    }
    if (text === 'BETWEEN') narrowRange(index, depth);
    if (text === 'ORDER' && next === 'BY') reverseOrder(index + 2, depth);
    if (text in functions && next === '(') replace('function', index, index + 1, functions[text] as string);
    if (text === 'COALESCE' && next === '(') splitCoalesce(index, depth);
    if (text in constants) replace('constant', index, index + 1, constants[text] as string);
    else if (/^\d+$/.test(text)) replace('constant', index, index + 1, String(Number(text) + 1));
    if (text === 'LEFT' && next === 'JOIN') replace('join', index, index + 2, 'JOIN');
  }
  return mutations;
}
