/**
 * The file that `ROSTRA_CONFIG` names, such as `/etc/rostra/rostra.conf`: one `NAME=value` on each line. Besides settings, it
 * may have variables of OpenTelemetry.
 */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError, configFileVariable, findUnknownVariables } from './read-config.ts';

type Variables = Record<string, string | undefined>;

/** Blank, a comment, or a name with a value that is in quotes or contains none of `'"#`. */
const validLine = /^(?:#.*|[A-Z_][A-Z0-9_]*=(?:'[^']*'|"[^"]*"|[^'"`#]*))?$/;

/**
 * Adds the variables of the file to those of the environment, which count if they are not empty.
 *
 * @param warn receives a sentence for each variable of the file that has no effect
 * @throws ConfigurationError
 */
export function addConfigFile(environment: Variables, warn: (sentence: string) => void): Variables {
  const path = environment[configFileVariable];
  if (!path) return environment;
  const file = parseFile(path);
  const others = Object.keys(file).filter((name) => !usedName.test(name));
  for (const name of [...findUnknownVariables(file), ...others])
    warn(`${name} in ${path} is not a setting of Rostra and has no effect.`);
  for (const name of others) delete file[name];
  return { ...file, ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value)) };
}

/** Node.js and other libraries read their variables from the environment of the process only. */
const usedName = /^(ROSTRA|OTEL)_/;

/** @throws ConfigurationError with all invalid lines */
function parseFile(path: string): Variables {
  const text = readText(path);
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

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const remedy = code === 'EACCES' ? ' Run the command with sudo.' : '';
    throw new ConfigurationError([`The file of ROSTRA_CONFIG cannot be read: ${message}.${remedy}`]);
  }
}
