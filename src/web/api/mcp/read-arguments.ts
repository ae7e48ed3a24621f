import type { ToolParameter } from '../../../contract/mcp-tools.ts';
import { suggestName } from '../../../platform/did-you-mean.ts';
import { HttpError } from '../responses/errors.ts';

export type ToolValues = Record<string, unknown>;

export const createArgumentError = (message: string, parameter?: string) =>
  new HttpError(400, message, [], undefined, parameter);

/** Checks names, types and the parameters that no operation has. Models send null for a parameter that they leave out. */
export function readArguments(
  parameters: Readonly<Record<string, ToolParameter>>,
  given: Readonly<ToolValues>,
): ToolValues {
  const names = Object.keys(parameters);
  const values: ToolValues = {};
  for (const [name, parameter] of Object.entries(parameters))
    if ('default' in parameter) values[name] = parameter.default;
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (!names.includes(name)) {
      const allowed = names.length === 0 ? 'This tool has no parameters.' : `Allowed: ${names.join(', ')}.`;
      const shown = JSON.stringify(name.slice(0, 40).toWellFormed());
      throw createArgumentError(`The parameter ${shown} is unknown.${suggestName(name, names)} ${allowed}`);
    }
    values[name] = readArgument(name, value, parameters[name] as ToolParameter);
  }
  if ('id' in parameters && values.id === undefined)
    throw createArgumentError('The parameter "id" is required.', 'id');
  return values;
}

function readArgument(name: string, value: unknown, { type, minimum = 0 }: ToolParameter): unknown {
  const isText = (each: unknown) => typeof each === 'string' || typeof each === 'number';
  if (type === 'array') {
    const list = Array.isArray(value) ? value : [value];
    if (!list.every(isText))
      throw createArgumentError(`The parameter "${name}" must be a list of texts.`, name);
    return list.map(String);
  }
  if (!isText(value))
    throw createArgumentError(`The parameter "${name}" must be a single text or number.`, name);
  if (type !== 'integer') return String(value);
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= minimum) return number;
  throw createArgumentError(`The parameter "${name}" must be an integer of at least ${minimum}.`, name);
}
