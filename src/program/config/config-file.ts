/**
 * The file that `ROSTRA_CONFIG` names, such as `/etc/rostra/rostra.conf`: one `NAME=value` on each line. Besides settings, it
 * may have variables of OpenTelemetry.
 */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describeReadError } from '../../domain/values/describe-read-error.ts';
import { ConfigurationError, configFileVariable, findUnknownVariables } from './read-config.ts';

type Variables = Record<string, string | undefined>;

/** Blank, a comment, or a name with a value that is in quotes or contains none of `'"#`. */
const validLine = /^(?:#.*|[A-Z_][A-Z0-9_]*=(?:'[^']*'|"[^"]*"|[^'"`#]*))?$/;

const namePattern = /^\s*([A-Z_][A-Z0-9_]*)=/;

/** Editors of Windows write it, and it would become part of the first name. */
const byteOrderMark = /^\uFEFF/;

/**
 * Adds the variables of the file to those of the environment, which count if they are not empty.
 *
 * @param warn receives a sentence for each variable of the file that has no effect
 * @throws ConfigurationError
 */
export function addConfigFile(environment: Variables, warn: (sentence: string) => void): Variables {
  const path = environment[configFileVariable];
  if (!path) return environment;
  const text = readText(path);
  const file = parseFile(path, text);
  for (const { name, lines } of findRepeated(text))
    warn(`${name} is set in the lines ${lines.join(', ')} of ${path}. Only the last one counts.`);
  const others = Object.keys(file).filter((name) => !usedName.test(name));
  for (const name of [...findUnknownVariables(file), ...others])
    warn(`${name} in ${path} is not a setting of Rostra and has no effect.`);
  for (const name of others) delete file[name];
  return { ...file, ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value)) };
}

/** Node.js and other libraries read their variables from the environment of the process only. */
const usedName = /^(ROSTRA|OTEL)_/;

/** @throws ConfigurationError with all invalid lines */
function parseFile(path: string, text: string): Variables {
  const problems = text
    .split('\n')
    .flatMap((line, index) =>
      validLine.test(line.trim())
        ? []
        : [
            `Line ${index + 1} of ${path} must be NAME=value. Put a value with # or a quotation mark in single quotes.`,
          ],
    );
  if (problems.length > 0) throw new ConfigurationError(problems);
  return parseEnv(text);
}

/** A person who corrects the first one sees no effect. */
function findRepeated(text: string): { name: string; lines: number[] }[] {
  const lines = text
    .split('\n')
    .map((line, index) => ({ name: namePattern.exec(line)?.[1], number: index + 1 }));
  return [...Map.groupBy(lines, ({ name }) => name)].flatMap(([name, found]) =>
    name === undefined || found.length === 1 ? [] : [{ name, lines: found.map(({ number }) => number) }],
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(byteOrderMark, '');
  } catch (error) {
    const remedy = (error as NodeJS.ErrnoException).code === 'EACCES' ? ' Run the command with sudo.' : '';
    const reason = describeReadError(error);
    throw new ConfigurationError([`${path}, the file of ROSTRA_CONFIG, cannot be read: ${reason}.${remedy}`]);
  }
}
