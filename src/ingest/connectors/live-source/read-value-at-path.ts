/**
 * Reads a value in the JSON of an answer.
 *
 * @param path names separated by dots, such as `result.total`; empty: the whole answer
 * @returns undefined if a part of the path is missing
 */
export function readValueAtPath(value: unknown, path: string): unknown {
  const names = path === '' ? [] : path.split('.');
  return names.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}
