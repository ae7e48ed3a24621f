/** Proposals of Decidim's API (GraphQL) as rows of its tables, so that the same rules read both. */
import { isObject } from '../../field-validation.ts';

/** Columns of values whose names differ not only in their case. */
const columns: Readonly<Record<string, string>> = { voteCount: 'votes', likesCount: 'endorsements_count' };

export function toCells(node: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) =>
      listCells(columns[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value),
    ),
  );
}

/** @param value a text, translations, an object with a name, or a list of such objects */
function listCells(column: string, value: unknown): [string, string][] {
  if (value === null || value === undefined) return [[column, '']];
  if (!isObject(value) && !Array.isArray(value)) return [[column, String(value)]];
  if (column === 'attachments' && Array.isArray(value)) return [[column, String(value.length)]];
  if (Array.isArray(value))
    return value.filter(isObject).flatMap(({ id, name }) => listCells(`${column}/${String(id)}`, name));
  if (isObject(value.name)) return listCells(`${column}/name`, value.name);
  const translations = Array.isArray(value.translations) ? value.translations.filter(isObject) : [];
  if (translations.length === 0) return [[column, '']];
  return translations.map(({ locale, text, machineTranslated }) => [
    `${column}/${machineTranslated === true ? 'machine_translations/' : ''}${String(locale)}`,
    typeof text === 'string' ? text : '',
  ]);
}
