/** Output of commands: data on standard output, everything else on standard error. */
import { replaceControlCharacters } from '../../platform/terminal-output.ts';
import { CommandError } from './command-error.ts';
import { getStreams } from './command-streams.ts';

export function print(text: string): void {
  getStreams().stdout.write(`${replaceControlCharacters(text)}\n`);
}

export function printError(text: string): void {
  getStreams().stderr.write(`${replaceControlCharacters(text)}\n`);
}

export const formatJson = (data: unknown) => JSON.stringify(data, null, 2);

export function printJson(data: unknown): void {
  print(formatJson(data));
}

/**
 * Prints a secret that no later command can print again.
 *
 * @param remedy what to do if the output cannot be written
 * @throws CommandError if the output cannot be written
 */
export async function printSecret(text: string, remedy: string): Promise<void> {
  const error = await new Promise<Error | null | undefined>((written) =>
    getStreams().stdout.write(`${replaceControlCharacters(text)}\n`, written),
  );
  if (error) throw new CommandError(`The output cannot be written: ${error.message}. ${remedy}`);
}

/** Aligns columns under their headings, numbers to the right. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  );
  const isNumeric = headings.map((_, column) => rows.every((row) => /^\d*$/.test(row[column] ?? '')));
  for (const line of lines) {
    const cells = line.map((cell, column) => {
      const blanks = ' '.repeat((widths[column] as number) - [...cell].length);
      return isNumeric[column] ? blanks + cell : cell + blanks;
    });
    print(cells.join('  ').trimEnd());
  }
}

/** `2026-03-01T09:15:00.000Z` → `2026-03-01 09:15Z`, for tables. */
export function formatTime(timestamp: string | null): string {
  return timestamp === null ? '–' : `${timestamp.slice(0, 16).replace('T', ' ')}Z`;
}
