/** Prints the formats that fit files, and a summary for each folder and each archive with several files. */

import { describeReason } from '../../../domain/reasons/reason.ts';
import { describeNearFormat, detectFormats } from '../../../ingest/formats/detect-formats.ts';
import { allFiles } from '../../../ingest/formats/format-registry.ts';
import { InputError } from '../../../ingest/input-error.ts';
import { findInputFiles, type InputFile } from '../../../ingest/readers/input-files.ts';
import { readSample } from '../../../ingest/readers/input-sample.ts';
import { unfoldArchives } from '../../../ingest/readers/unfold-archives.ts';
import { CommandError } from '../command-error.ts';
import { print } from '../output.ts';

interface FileDetection {
  file: InputFile;
  /** `rostra: its columns have the names of the API`, or why no format fits. */
  lines: string[];
  isKnown: boolean;
  /** Whether the file could be read. */
  isReadable: boolean;
}

/** @throws InputError, CommandError if the format of a file is unknown */
export async function printDetectedFormats(
  paths: readonly string[],
  sheet: string | undefined,
): Promise<void> {
  let unknown = 0;
  for (const path of paths) {
    const detections: FileDetection[] = [];
    for (const file of findInputFiles([path], allFiles)) detections.push(...(await detectFiles(file, sheet)));
    const isFolder = detections.some(({ file: { file, name } }) => file !== undefined && name !== path);
    unknown += detections.filter(({ isKnown }) => !isKnown).length;
    if (isFolder) printFolder(path, detections);
    else for (const detection of detections) printFile(detection);
  }
  if (unknown > 0) throw new CommandError('The format of some files is unknown.');
}

/** @returns one detection for each file of an archive */
async function detectFiles(source: InputFile, sheet: string | undefined): Promise<FileDetection[]> {
  const detections: FileDetection[] = [];
  try {
    const signal = new AbortController().signal;
    for (const file of await unfoldArchives([source], allFiles, { allFiles, signal }))
      detections.push(await detectFile(file, sheet));
    return detections;
  } catch (error) {
    return [toFailedDetection(source, error)];
  }
}

async function detectFile(file: InputFile, sheet: string | undefined): Promise<FileDetection> {
  try {
    const sample = await readSample(file, {
      allFiles,
      signal: new AbortController().signal,
      observer: {},
      sheet,
    });
    const fits = detectFormats(sample);
    const specific = fits.filter(({ format }) => !format.isFallback);
    const lines = (specific.length > 0 ? specific : fits).map(
      ({ format, reason }) => `${format.name}: ${describeReason(reason)}`,
    );
    if (lines.length > 0) return { file, lines, isKnown: true, isReadable: true };
    const hint =
      describeNearFormat(sample) ??
      (sample.problem && describeReason(sample.problem)) ??
      '"rostra import --help" lists all.';
    return { file, lines: [`no format fits. ${hint}`], isKnown: false, isReadable: true };
  } catch (error) {
    return toFailedDetection(file, error);
  }
}

function toFailedDetection(file: InputFile, error: unknown): FileDetection {
  if (!(error instanceof InputError)) throw error;
  return { file, lines: [error.message], isKnown: false, isReadable: false };
}

function printFile({ file, lines, isReadable }: FileDetection): void {
  // A message on an unreadable file begins with its name.
  print(isReadable ? `${file.name}\n  ${lines.join('\n  ')}` : lines.join('\n'));
}

const maxUnknownFiles = 5;

/** Shows one file for each format, and lists files of unknown format. */
function printFolder(path: string, detections: readonly FileDetection[]): void {
  print(`${path}: ${countFiles(detections.length)}`);
  const known = detections.filter(({ isKnown }) => isKnown);
  const groups = Map.groupBy(known, ({ lines }) => lines.map((line) => line.split(':', 1)[0]).join(' '));
  for (const [, group] of [...groups].toSorted(([, a], [, b]) => b.length - a.length)) {
    const [first] = group as [FileDetection, ...FileDetection[]];
    const example = group.length === 1 ? first.file.name : `such as ${first.file.name}`;
    print(`  ${countFiles(group.length)}, ${example}\n    ${first.lines.join('\n    ')}`);
  }
  const unknown = detections.filter(({ isKnown }) => !isKnown);
  for (const { file, lines, isReadable } of unknown.slice(0, maxUnknownFiles))
    print(`  ${isReadable ? `${file.name}: ` : ''}${lines.join(' ')}`);
  if (unknown.length > maxUnknownFiles)
    print(`  and ${countFiles(unknown.length - maxUnknownFiles)} more of unknown format`);
}

const countFiles = (count: number) => (count === 1 ? '1 file' : `${count} files`);
