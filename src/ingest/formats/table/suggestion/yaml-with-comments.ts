/** Writes YAML with comments, as in the draft of a mapping. */

/** Comments by the path of a key, such as `submission.createdAt.date`. Each is one line, without the number sign. */
export interface Comments {
  /** Lines above the key. */
  above: ReadonlyMap<string, readonly string[]>;
  /** At the end of the key's line. */
  beside: ReadonlyMap<string, string>;
  /** Lines below the entries of the key. */
  below: ReadonlyMap<string, readonly string[]>;
}

/** @returns the lines of the entries */
export function formatEntries(entries: object, comments: Comments, path = '', depth = 0): string[] {
  const indent = '  '.repeat(depth);
  const toComments = (lines: readonly string[] = [], inner = '') =>
    lines.map((line) => `${indent}${inner}# ${joinLines(line)}`);
  const lines = Object.entries(entries).flatMap(([key, value]): string[] => {
    const keyPath = path === '' ? key : `${path}.${key}`;
    const beside = comments.beside.get(keyPath);
    const end = beside === undefined ? '' : ` # ${joinLines(beside)}`;
    const isTable = typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0;
    return [
      ...toComments(comments.above.get(keyPath)),
      `${indent}${formatScalar(key)}:${isTable ? '' : ` ${formatValue(value)}`}${end}`,
      ...(isTable ? formatEntries(value, comments, keyPath, depth + 1) : []),
      ...toComments(comments.below.get(keyPath), '  '),
    ];
  });
  return lines;
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatScalar).join(', ')}]`;
  return typeof value === 'string' ? formatScalar(value) : '{}';
}

/** A YAML scalar with exactly this text. */
export function formatScalar(text: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_/.-]*( [\p{L}\p{N}_/.-]+)*$/u.test(text);
  return isPlain && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

/** A line break would end a comment. */
const joinLines = (text: string) => text.replace(/\s+/g, ' ');
