/** Detects the format of an uploaded file, and drafts a mapping for a table. */
import type { DetectionReport } from '../domain/import-job.ts';
import type { SourceDefinition } from '../domain/import-source.ts';
import { detectFormats } from '../import/detect-formats.ts';
import { formats } from '../import/format-registry.ts';
import { InputError } from '../import/input-error.ts';
import type { InputFile, InputOptions } from '../import/readers/input-files.ts';
import { type InputSample, readSample } from '../import/readers/input-sample.ts';
import { SheetChoiceError } from '../import/readers/spreadsheet/choose-sheet.ts';
import { findFormat } from './source-options.ts';

/**
 * @param definition of a stored source, which the file must fit
 * @returns a report with the sheets to choose from if `options.sheet` does not name one of several
 * @throws InputError if the file cannot be read, or does not fit the definition
 */
export async function detectUpload(
  input: InputFile,
  definition: SourceDefinition | null,
  options: InputOptions,
): Promise<DetectionReport> {
  try {
    return await detect(input, definition, options);
  } catch (error) {
    if (!(error instanceof SheetChoiceError)) throw error;
    const sheets = { names: [...error.sheets], missing: options.sheet ?? null, chosen: null };
    return { formats: [], files: [input.name], sheets, suggestion: null };
  }
}

async function detect(
  input: InputFile,
  definition: SourceDefinition | null,
  options: InputOptions,
): Promise<DetectionReport> {
  const sample = await readSample(input, options);
  const found = listFormats(sample);
  if (definition !== null && findFormat(definition.format).detect(sample) === undefined)
    throw new InputError(describeMisfit(input.name, definition, found));
  // The columns of a stored source may have changed. Then the user maps the new ones.
  const mayMap = definition === null || findFormat(definition.format).suggestMapping !== undefined;
  const suggestion = mayMap ? await suggestMapping(input, found, definition, options) : null;
  return { formats: found, files: [input.name], sheets: null, suggestion };
}

/** The user may choose another format, so a table without a possible mapping is not an error. */
async function suggestMapping(
  input: InputFile,
  found: DetectionReport['formats'],
  definition: SourceDefinition | null,
  options: InputOptions,
): Promise<DetectionReport['suggestion']> {
  for (const { name, suggestMapping: suggest } of formats) {
    if (suggest === undefined || !found.some(({ format }) => format === name)) continue;
    try {
      return await suggest([input], options);
    } catch (error) {
      if (!(error instanceof InputError) || (definition === null && found.length === 1)) throw error;
    }
  }
  return null;
}

function listFormats(sample: InputSample): DetectionReport['formats'] {
  return detectFormats(sample).map(({ format, reason }) => ({ format: format.name, reason }));
}

function describeMisfit(
  name: string,
  definition: SourceDefinition,
  [best]: DetectionReport['formats'],
): string {
  const found = best === undefined ? 'No format fits' : `It looks like ${best.format}: ${best.reason}`;
  return `${name} does not have the format ${definition.format} of the source "${definition.name}". ${found}.`;
}
