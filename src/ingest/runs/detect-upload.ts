/** Detects the format of an uploaded file, or of the files in an uploaded archive, and drafts a mapping for a table. */

import type { Reason } from '../../domain/reasons/reason.ts';
import type { DetectionReport } from '../../domain/runs/run-queue.ts';
import type { SourceDefinition } from '../../domain/sources/import-source.ts';
import { detectFormats } from '../formats/detect-formats.ts';
import { allFiles, findFormat, formats } from '../formats/format-registry.ts';
import { InputError } from '../input-error.ts';
import { hasExtension, type InputFile, type InputOptions, selectFiles } from '../readers/input-files.ts';
import { type InputSample, readSample } from '../readers/input-sample.ts';
import { SheetChoiceError } from '../readers/spreadsheet/choose-sheet.ts';
import { removeRepeatedFiles, unfoldArchives } from '../readers/unfold-archives.ts';

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
    const sheets = {
      kind: 'sheet' as const,
      names: [...error.sheets],
      missing: options.sheet ?? null,
      chosen: null,
    };
    return { formats: [], files: [input.name], sheets, suggestion: null };
  }
}

async function detect(
  input: InputFile,
  definition: SourceDefinition | null,
  options: InputOptions,
): Promise<DetectionReport> {
  const selection = definition === null ? allFiles : findFormat(definition.format);
  const files = await unfoldArchives([input], selection, options);
  const found = await findCommonFormats(input.name, files, options);
  if (definition !== null && found.every(({ format }) => format !== definition.format))
    throw new InputError({
      code: 'file-misfits-source',
      file: input.name,
      format: definition.format,
      name: definition.name,
      found: found[0],
    });
  // The columns of a stored source may have changed. Then the user maps the new ones.
  const mayMap = definition === null || findFormat(definition.format).hasMapping === true;
  const suggestion = mayMap ? await suggestMapping(files, found, definition, options) : null;
  return {
    formats: found,
    files: files.slice(0, maxNames).map(({ name }) => name),
    sheets: listOtherLists(suggestion),
    suggestion,
  };
}

/** @returns null for a single list, and if the user has named it */
function listOtherLists(suggestion: DetectionReport['suggestion']): DetectionReport['sheets'] {
  const others = suggestion?.problems.find(({ kind }) => kind === 'other_lists');
  const chosen = suggestion?.mapping.records;
  if (others?.kind !== 'other_lists' || chosen === undefined) return null;
  return { kind: 'list', names: [chosen, ...others.lists], missing: null, chosen };
}

const maxNames = 100;

type FoundFormat = DetectionReport['formats'][number];

/** Files of unknown format do not count. @throws InputError if the files have different formats, or none is readable */
async function findCommonFormats(
  name: string,
  files: readonly InputFile[],
  options: InputOptions,
): Promise<FoundFormat[]> {
  const known: { name: string; found: FoundFormat[] }[] = [];
  let problem: Reason | undefined;
  for (const file of files) {
    const sample = await readSample(file, options);
    const found = listFormats(sample);
    if (found.length > 0) known.push({ name: file.name, found });
    else problem ??= sample.problem;
  }
  if (known.length === 0 && problem !== undefined) throw new InputError(problem);
  const data = known.filter((file) => !isDescription(file));
  const [first, ...others] = data.length > 0 ? data : known;
  const common = first?.found.filter(({ format }) =>
    others.every(({ found }) => found.some((each) => each.format === format)),
  );
  if (first !== undefined && common?.length === 0)
    throw new InputError({ code: 'files-of-different-formats', file: name, groups: listGroups(known) });
  return common ?? [];
}

/** Such as the metadata beside tables. */
const isDescription = ({ name, found }: { name: string; found: readonly FoundFormat[] }): boolean =>
  found.every(({ format }) => hasExtension(name, findFormat(format).extensionsIfAlone ?? []));

function listGroups(known: readonly { name: string; found: FoundFormat[] }[]) {
  const groups = Map.groupBy(known, ({ found }) => found[0]?.format ?? '');
  return [...groups].map(([format, group]) => ({
    format,
    count: group.length,
    example: group[0]?.name ?? '',
  }));
}

/** The user may choose another format, so a table without a possible mapping is not an error. */
async function suggestMapping(
  files: readonly InputFile[],
  found: DetectionReport['formats'],
  definition: SourceDefinition | null,
  options: InputOptions,
): Promise<DetectionReport['suggestion']> {
  for (const format of formats) {
    if (!format.hasMapping || !found.some(({ format: name }) => name === format.name)) continue;
    const data = files.length === 1 ? files : selectFiles(files, ({ name }) => name, format);
    const [first, ...others] = removeRepeatedFiles(data, {});
    if (first === undefined) continue;
    try {
      const { reader } = await format.load();
      return (await reader.suggestMapping?.([first, ...others], options)) ?? null;
    } catch (error) {
      if (!(error instanceof InputError) || (definition === null && found.length === 1)) throw error;
    }
  }
  return null;
}

function listFormats(sample: InputSample): DetectionReport['formats'] {
  return detectFormats(sample).map(({ format, reason }) => ({ format: format.name, reason }));
}
