/** Reads the three tables of a `.pb` file. */
import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { InputError } from '../../input-error.ts';
import { decodeText } from '../../readers/encoding.ts';
import type { InputFile, InputOptions } from '../../readers/input-files.ts';
import { readInputFile } from '../../readers/open-input.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';

export interface Project {
  location: SourceLocation;
  /** By column, in lower case. */
  cells: Readonly<Record<string, string>>;
}

export interface Vote {
  meta: ReadonlyMap<string, string>;
  /** By project id; undefined: the file has no votes, or its projects have their own counts. */
  supporters: ReadonlyMap<string, number> | undefined;
}

interface PabulibFile {
  projects: readonly Project[];
  vote: Vote;
  rejected: readonly ParsedRecord[];
  /** Columns of the votes. */
  voteColumns: readonly string[];
}

const sections = { META: 'key', PROJECTS: 'project_id', VOTES: 'vote' } as const;
type Section = keyof typeof sections;

const maxRowBytes = 4 * 1024 * 1024;

/** Projects wait in memory until their votes are counted. */
const maxProjects = 100_000;

/** @throws InputError */
export async function readPabulibFile(source: InputFile, options: InputOptions): Promise<PabulibFile> {
  const meta = new Map<string, string>();
  const projects: Project[] = [];
  const rejected: ParsedRecord[] = [];
  let supporters: Map<string, number> | undefined;
  let voteColumns: string[] = [];
  for await (const { section, location, cells, hasOtherLength } of readRows(source, options)) {
    if (section === 'META') meta.set((cells.key ?? '').toLowerCase(), cells.value ?? '');
    else if (section === 'PROJECTS') {
      if (hasOtherLength) rejected.push({ location, rejectionReason: { code: 'cell-count-differs' } });
      else projects.push({ location, cells });
      if (projects.length > maxProjects)
        throw new InputError({ code: 'pabulib-too-many-projects', file: source.name, max: maxProjects });
    } else {
      if (voteColumns.length === 0) voteColumns = Object.keys(cells);
      // Millions of votes need not be read if they are already counted, and the other sections come before them.
      if (projects.length > 0 && meta.size > 0 && isCounted(projects)) break;
      supporters ??= new Map();
      for (const id of listSupported(cells))
        if (supporters.has(id) || supporters.size < maxProjects)
          supporters.set(id, (supporters.get(id) ?? 0) + 1);
    }
  }
  if (isCounted(projects)) supporters = undefined;
  return { projects, vote: { meta, supporters }, rejected, voteColumns };
}

const isCounted = (projects: readonly Project[]) => projects.every(({ cells }) => cells.votes);

/** @returns the ids of the projects that a voter supports */
function listSupported({ vote = '', points }: Project['cells']): Set<string> {
  const ids = vote.split(',').map((id) => id.trim());
  const values = points?.split(',');
  return new Set(ids.filter((id, index) => id !== '' && (values === undefined || Number(values[index]) > 0)));
}

interface Row extends Project {
  section: Section;
  hasOtherLength: boolean;
}

async function* readRows(source: InputFile, options: InputOptions): AsyncGenerator<Row> {
  let section: Section | undefined;
  let header: string[] | undefined;
  for await (const { cells, line } of readLines(source, options)) {
    const [first = ''] = cells;
    if (Object.hasOwn(sections, first) && cells.slice(1).every((cell) => cell === '')) {
      section = first as Section;
      header = undefined;
    } else if (section === undefined) {
      throw new InputError({ code: 'pabulib-expected', file: source.name });
    } else if (header === undefined) {
      header = cells.map((name) => name.toLowerCase());
      if (!header.includes(sections[section]))
        throw new InputError({
          code: 'pabulib-column-missing',
          file: source.name,
          line,
          section,
          column: sections[section],
        });
    } else {
      const names = header;
      yield {
        section,
        location: { source: source.name, line },
        cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
        hasOtherLength: cells.length !== names.length,
      };
    }
  }
  if (section === undefined) throw new InputError({ code: 'file-empty', file: source.name });
}

async function* readLines(
  source: InputFile,
  options: InputOptions,
): AsyncGenerator<{ cells: string[]; line: number }> {
  const rows = parse({
    bom: true,
    delimiter: ';',
    info: true,
    max_record_size: maxRowBytes,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
  pipeline(Readable.from(decodeText(source.name, readInputFile(source, options))), rows, () => undefined);
  let line = 0;
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: Info }>) {
      line = info.lines;
      yield { cells: record, line };
    }
  } catch (error) {
    const { lines } = error as CsvError;
    if (error instanceof InputError || lines === undefined) throw error;
    throw new InputError({
      code: 'csv-row-unclosed',
      file: source.name,
      line: line + 1,
      lines: (lines as number) - line,
    });
  }
}
