/**
 * Pabulib: projects of a participatory budget as `.pb`, three tables in one file (META, PROJECTS, VOTES) with semicolons.
 * Specification: https://pabulib.org/format
 */

import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { parseWholeNumber } from '../../records/field-validation.ts';
import { convertMarkup, convertMarkupLine } from '../../records/html-to-text.ts';
import { reportMapped } from '../../records/import-observer.ts';
import { readCoordinates } from '../../records/locations/read-point.ts';
import { parseMappedRecord, toImportRecord } from '../../records/parse-record.ts';
import type { ParsedRecord } from '../../records/parsed-record.ts';
import {
  applyRules,
  createLeftOutFinder,
  type FieldRule,
  type FormatReader,
  type FormatReadOptions,
} from '../format-definition.ts';
import { type Project, readPabulibFile, type Vote } from './read-pabulib-file.ts';

type Context = Vote & Pick<FormatReadOptions, 'observer' | 'readsLocations'>;

const rules: readonly FieldRule<Project, Context>[] = [
  {
    field: 'id',
    from: '`project_id`, with `country`, `unit`, `subunit` and `instance` of the vote',
    extract: ({ cells }, { meta }) => {
      // An id of a project is unique in its vote only.
      const vote = ['country', 'unit', 'subunit', 'instance'].map((key) => meta.get(key) ?? '');
      return cells.project_id ? [...vote, cells.project_id].join('/') : undefined;
    },
  },
  { field: 'referenceNumber', from: '`project_id`', extract: ({ cells }) => cells.project_id || undefined },
  {
    field: 'description',
    from: '`name`, blank line, `description`, as plain text',
    extract: (project) => {
      const name = getName(project);
      if (name === '') throw new InvalidFieldError({ code: 'field-missing', field: 'name' });
      const text = convertMarkup(project.cells.description ?? '');
      return text === '' ? name : `${name}\n\n${text}`;
    },
  },
  {
    field: 'status',
    from: '`selected`: rejected for 0, accepted for 1 and higher numbers; in_review if it is missing',
    extract: ({ cells }, { observer }) =>
      reportMapped(observer, 'status', cells.selected ?? '', getStatus(cells)),
  },
  {
    field: 'topicCategoryName',
    from: '`category`',
    extract: ({ cells: { category = '' } }, { observer }) => {
      const topic = convertMarkupLine(category);
      return topic === '' ? undefined : reportMapped(observer, 'topicCategoryName', category, topic);
    },
  },
  {
    field: 'supportCount',
    from: '`votes`, else the number of voters in VOTES that name the project with points above 0',
    extract: ({ cells }, { supporters }) =>
      cells.votes
        ? parseWholeNumber('votes', cells.votes)
        : (supporters?.get(cells.project_id ?? '') ?? (supporters && 0)),
  },
  {
    field: 'location',
    from: '`latitude` and `longitude`',
    extract: ({ cells }, options) => readCoordinates([cells.latitude, cells.longitude], options),
  },
  {
    field: 'createdAt',
    from: '`date_begin` of the vote, else `date_end`, else 1 January of the year in `instance`',
    extract: (_, { meta }) => {
      const date = findDate(meta, ['date_begin', 'date_end', 'instance']);
      if (date === undefined) throw new InvalidFieldError({ code: 'vote-dates-missing' });
      return date;
    },
  },
  {
    field: 'statusChangedAt',
    from: '`date_end` of the vote, if `selected` has a value',
    extract: ({ cells }, { meta }) =>
      getStatus(cells) === 'in_review' ? undefined : findDate(meta, ['date_end']),
  },
];

const getName = ({ cells: { name = '' } }: Project): string => convertMarkupLine(name);

const findLeftOutColumns = createLeftOutFinder(rules);
/** Of the votes. */
const countedColumns = ['vote', 'points'];

export const reader: FormatReader = {
  listMappings: () => [{ kind: 'submission', fieldSources: rules }],
  readRecords: readPabulib,
};

async function* readPabulib(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  for (const source of sources) {
    const { projects, vote, rejected, voteColumns } = await readPabulibFile(source, options);
    const columns = [...vote.meta.keys(), ...Object.keys(projects[0]?.cells ?? {})];
    options.observer.onLeftOutColumns?.([
      ...findLeftOutColumns(columns),
      ...voteColumns.filter((name) => !countedColumns.includes(name)),
    ]);
    yield* rejected;
    const [first] = projects;
    if (first !== undefined && projects.length > 1 && projects.every((project) => getName(project) === '')) {
      const rejectionReason = { code: 'project-names-missing', count: projects.length } as const;
      yield { location: first.location, rejectionReason };
      continue;
    }
    for (const project of projects)
      yield parseMappedRecord(project.location, project.cells.project_id, options, (held) =>
        toImportRecord('submission', applyRules(rules, project, { ...held, ...vote }), held),
      );
  }
}

/** Numbers above 1 are selected for another reason than the votes, such as additional money. */
function getStatus({ selected = '' }: Project['cells']): string {
  if (selected === '') return 'in_review';
  return parseWholeNumber('selected', selected) === 0 ? 'rejected' : 'accepted';
}

/** @returns the first date, in ISO 8601; dates have the forms 16.09.2023, 2023-09-16, 09.2023 and 2023 */
function findDate(meta: Vote['meta'], keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = meta.get(key) ?? '';
    const [, day = '01', month = '01', year] =
      /^(?:(?:(\d{1,2})[./-])?(\d{1,2})[./-])?(\d{4})$/.exec(text) ?? [];
    if (year !== undefined) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (/^\d{4}-\d{2}-\d{2}/.test(text)) return text;
    if (text !== '' && key !== 'instance')
      throw new InvalidFieldError({ code: 'vote-date-invalid', name: key });
  }
  return undefined;
}
