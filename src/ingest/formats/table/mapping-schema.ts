/**
 * The schema of a mapping file. The validation, the types and `examples/table-mapping.schema.json`, which editors use for
 * completion, are derived from it.
 */
import type { TSchema } from 'typebox';
import Type from 'typebox';
import { type ColumnKind, type Fields, isOptional } from '../../../contract/field.ts';
import { sessionFields } from '../../../contract/resources/session.ts';
import { submissionFields } from '../../../contract/resources/submission.ts';
import type { FieldMapping } from '../../../domain/sources/table-mapping.ts';

const closed = { additionalProperties: false };

/** A word of the file. Editors parse `1`, `true` and `null` as other types; Rostra reads all of them as text. */
const word = (description: string) =>
  Type.Unsafe<string>({ type: ['string', 'number', 'boolean', 'null'], description });

const column = Type.String({ minLength: 1, description: 'Name of a column in the first line of the file.' });
const timeZone = Type.String({
  description: 'Time zone of local times.',
  examples: ['Europe/Berlin', 'America/New_York'],
});

/** All keys that the mapping of a field can have. */
const fieldMapping = Type.Object({
  column: Type.Optional(column),
  columns: Type.Optional(
    Type.Array(column, { minItems: 1, description: 'Columns whose cells are joined to one text.' }),
  ),
  join: Type.Optional(Type.String({ description: 'Text between the cells of `columns`. Default: a space.' })),
  constant: Type.Optional(word('The same value for all rows.')),
  values: Type.Optional(
    Type.Record(Type.String(), word('Published value.'), {
      description:
        'Value in the file: published value. Case-insensitive. For unlisted values, `default` applies; without `default` the row is rejected.',
    }),
  ),
  filled: Type.Optional(
    word('Value for filled cells that `values` does not list, such as a date that means completed.'),
  ),
  default: Type.Optional(word('Value for empty cells, and for values that `values` does not list.')),
  date: Type.Optional(
    Type.Unsafe<string | string[]>({
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
      ],
      description:
        'Pattern of the dates, or a list of patterns that are tried in this order: `ISO` (default), `unix` (seconds since 1970), `unix-ms` (milliseconds since 1970), `excel` (days since 1900), or a combination of YYYY or YY year, MMM name of a month, MM or M month, ddd weekday, DD or D day, HH or H hour 0–23, hh or h hour 1–12 with A for AM or PM, mm minute, ss second, SSS fraction of a second, Z offset from UTC such as +0100, UTC or CET. Text in [brackets] is literal.',
      examples: [
        'DD.MM.YYYY',
        'MM/DD/YYYY hh:mm:ss A',
        'YYYY-MM-DD HH:mm:ss Z',
        'ddd, D MMM YYYY HH:mm:ss Z',
        'ISO',
        'unix',
        'unix-ms',
        'excel',
      ],
    }),
  ),
  timeZone: Type.Optional(timeZone),
  decimal: Type.Optional(
    Type.String({ enum: ['.', ','], description: 'Decimal separator, as in 12,0. Default: a point.' }),
  ),
  thousands: Type.Optional(
    Type.String({ enum: ['.', ',', ' ', "'"], description: 'Thousands separator, as in 1.234.' }),
  ),
});

type Source = 'column' | 'columns' | 'constant';

/** A column name, or a table with exactly one of `sources`. */
function field(
  description: string,
  sources: readonly Source[],
  otherKeys: readonly Exclude<keyof FieldMapping, Source>[],
) {
  const table = Type.Pick(fieldMapping, [...sources, ...otherKeys], {
    ...closed,
    oneOf: sources.map((name) => ({ required: [name] })),
  });
  return Type.Unsafe<string | FieldMapping>(Type.Union([column, table], { description }));
}

const text = (description: string) =>
  field(description, ['column', 'columns', 'constant'], ['join', 'values', 'filled', 'default']);

const time = (description: string) =>
  field(description, ['column', 'columns', 'constant'], ['join', 'date', 'timeZone']);

const id = (description: string) =>
  Type.Union([column, Type.Array(column, { minItems: 1 })], { description });

/** By the kind of the field. */
const createColumnSchema: Record<ColumnKind, (description: string) => TSchema> = {
  id,
  markup: text,
  line: text,
  title: text,
  word: text,
  time,
  day: time,
  timeSlot: (description) => field(description, ['column', 'columns', 'constant'], ['date']),
  count: (description) => field(description, ['column', 'constant'], ['default', 'decimal', 'thousands']),
  presence: (description) => field(description, ['column', 'constant'], ['values', 'default']),
};

const createPart = (fields: Fields, description: string) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, declared]) => {
        if (declared.fromColumn === undefined) return [];
        const schema = createColumnSchema[declared.fromColumn.kind](declared.fromColumn.description);
        return [[name, isOptional(declared) ? Type.Optional(schema) : schema]];
      }),
    ),
    { ...closed, description },
  );

const submission = createPart(submissionFields, 'Source of each field of a submission.');
const session = createPart(sessionFields, 'Source of each field of a session.');

const agenda = Type.Object(
  {
    session: id('Column, or columns, with the id of the session, as in the table of sessions.'),
    submission: id('Column, or columns, with the id of the submission, as in the table of submissions.'),
    separator: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Text between several sessions or submissions in one cell, such as a comma.',
      }),
    ),
    order: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Column of numbers in the order of the agenda. Default: the order of the rows.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'Columns that put submissions on agendas: of a table of agenda items, of the table of submissions, or of the table of sessions.',
  },
);

const words = Type.Array(word('A word.'), { minItems: 1 });

export const tableMappingSchema = Type.Object(
  {
    delimiter: Type.Optional(
      Type.String({
        pattern: '^(.|tab)$',
        description: 'Delimiter of cells: one character, or `tab`. Detected by default.',
        examples: [';', ',', 'tab', '|'],
      }),
    ),
    sheet: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Name of the sheet of a spreadsheet. Default: the only one with data.',
      }),
    ),
    headerRow: Type.Optional(
      word(
        'Row with the names of the columns, from 1; in text the line. Default: the first row below titles.',
      ),
    ),
    records: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Path of the records in JSON. Default: the list with the most text. `data.edges[].node` is the object `node` in each entry of the list `data.edges`, and `[]` is the whole content.',
        examples: ['result.records', 'results'],
      }),
    ),
    encoding: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Encoding of the file. Detected from its beginning by default.',
        examples: ['utf-8', 'windows-1252', 'utf-16le'],
      }),
    ),
    timeZone: Type.Optional(timeZone),
    empty: Type.Optional(
      Type.Array(word('A word.'), {
        description: 'Words for an empty cell, such as NA or -. Case-insensitive.',
      }),
    ),
    replace: Type.Optional(
      Type.Record(Type.String({ minLength: 1 }), Type.String(), {
        description: 'Damaged characters: replacement. Applies to all imported texts.',
      }),
    ),
    skip: Type.Optional(
      Type.Record(Type.String(), Type.Union([words, Type.Literal('filled'), Type.Literal('no')]), {
        description:
          'Column: words. Rows with one of these words in the column are skipped; "" is an empty cell. "filled" skips rows with any value but no, such as a date; "no" skips those with no, "confidential" and the like, in each language.',
      }),
    ),
    submission: Type.Optional(submission),
    session: Type.Optional(session),
    agenda: Type.Optional(agenda),
  },
  {
    ...closed,
    title: 'Mapping of tables to submissions and sessions, for "rostra import table --mapping FILE"',
    anyOf: [{ required: ['submission'] }, { required: ['session'] }],
  },
);
