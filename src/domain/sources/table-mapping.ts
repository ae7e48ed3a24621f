/**
 * The mapping of a table to records: each key is declared once. The types, the validation of mapping files,
 * `examples/table-mapping.schema.json`, which editors use for completion, and docs/importing/mapping-keys.md follow.
 */
import type { Static, TOptional, TSchema } from 'typebox';
import Type from 'typebox';
import {
  type ColumnKind,
  type Fields,
  isOptional,
  mapFields,
  type OptionalField,
} from '../../contract/field.ts';
import { sessionFields } from '../../contract/resources/session.ts';
import { submissionFields } from '../../contract/resources/submission.ts';
import { coordinateOrders, referenceSystems, wgs84 } from './reference-systems.ts';

const closed = { additionalProperties: false };

/** A word of the file. Editors parse `1`, `true` and `null` as other types; Rostra reads all of them as text. */
const word = (description: string) =>
  Type.Unsafe<string>({ type: ['string', 'number', 'boolean', 'null'], description });

const words = Type.Array(word('A word.'), { minItems: 1 });

const column = Type.String({ minLength: 1, description: 'Name of a column.' });

/** One column, or several that identify something together. */
const columnOrColumns = (description: string) =>
  Type.Union([column, Type.Array(column, { minItems: 1 })], { description });

const timeZoneExamples = ['Europe/Berlin', 'America/New_York'];

/** A key in the mapping of one field. */
interface FieldKey {
  schema: TSchema;
  /** Of the fields that it applies to. */
  kinds: readonly ColumnKind[];
  /** It is one of the sources of the value, of which a mapping has exactly one. */
  isSource?: true;
}

const textKinds = ['markup', 'line', 'title', 'word'] as const;
const dateKinds = ['time', 'day'] as const;

export const fieldKeys = {
  column: {
    schema: column,
    kinds: [...textKinds, ...dateKinds, 'timeSlot', 'count', 'presence', 'links', 'point'],
    isSource: true,
  },
  columns: {
    schema: Type.Array(column, {
      minItems: 1,
      description:
        'Columns whose filled cells are joined to one text. For `timeSlot`, the start and the end; for `documents`, all of them; for `location`, latitude and longitude, in this order.',
    }),
    kinds: [...textKinds, ...dateKinds, 'timeSlot', 'links', 'point'],
    isSource: true,
  },
  constant: {
    schema: word('The same value for all rows.'),
    kinds: [...textKinds, ...dateKinds, 'timeSlot', 'count', 'presence'],
    isSource: true,
  },
  join: {
    schema: Type.String({ description: 'Text between the cells of `columns`. Default: a space.' }),
    kinds: [...textKinds, ...dateKinds],
  },
  values: {
    schema: Type.Record(Type.String(), word('Published value.'), {
      description:
        'Word in the file: published word. Case does not matter. For words that are not listed, `filled` or `default` applies, and the summary lists them; without both, the row is rejected.',
    }),
    kinds: [...textKinds, 'presence'],
  },
  filled: {
    schema: word(
      'Published word for filled cells that `values` does not list, such as `completed` for a date.',
    ),
    kinds: textKinds,
  },
  default: {
    schema: word('Published value for empty cells, and for words that `values` does not list.'),
    kinds: [...textKinds, 'count', 'presence'],
  },
  date: {
    schema: Type.Unsafe<string | string[]>({
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
    kinds: [...dateKinds, 'timeSlot'],
  },
  timeZone: {
    schema: Type.String({
      description: 'Time zone of these dates. Default: that of the file.',
      examples: timeZoneExamples,
    }),
    kinds: dateKinds,
  },
  decimal: {
    schema: Type.String({
      enum: ['.', ','],
      description:
        'Decimal separator. Default: a point. With a comma, `12,0` is a whole number, and `12,5` is rejected.',
    }),
    kinds: ['count'],
  },
  crs: {
    schema: Type.Unsafe<string>({
      type: ['string', 'number'],
      description: `Coordinate reference system of the numbers, by its EPSG code: ${Object.entries(
        referenceSystems,
      )
        .map(([code, name]) => `${code} (${name})`)
        .join(', ')}. Default: ${wgs84}.`,
      examples: ['25832', '31467', '2056'],
    }),
    kinds: ['point'],
  },
  order: {
    schema: Type.String({
      enum: [...coordinateOrders],
      description:
        'Which number comes first, in one column or in `columns`. Default: latitude-first for degrees, longitude-first for metres, where the longitude is the number to the east. WKT and GeoJSON always begin with the longitude.',
    }),
    kinds: ['point'],
  },
  thousands: {
    schema: Type.String({
      enum: ['.', ',', ' ', "'"],
      description: 'Thousands separator, as in `1.234`.',
    }),
    kinds: ['count'],
  },
} as const satisfies Record<string, FieldKey>;

type FieldKeyName = keyof typeof fieldKeys;

export type FieldMapping = { [Key in FieldKeyName]?: Static<(typeof fieldKeys)[Key]['schema']> };

/** The keys in the mapping of a field of this kind. */
const listFieldKeys = (kind: ColumnKind): [name: FieldKeyName, key: FieldKey][] =>
  (Object.entries(fieldKeys) as [FieldKeyName, FieldKey][]).filter(([, { kinds }]) => kinds.includes(kind));

/** A column name, or a table with exactly one source. */
function createFieldSchema(kind: ColumnKind, description: string): TSchema {
  if (kind === 'id') return columnOrColumns(description);
  const keys = listFieldKeys(kind);
  const table = Type.Object(
    Object.fromEntries(keys.map(([name, { schema }]) => [name, Type.Optional(schema)])),
    { ...closed, oneOf: keys.flatMap(([name, { isSource }]) => (isSource ? [{ required: [name] }] : [])) },
  );
  return Type.Union([column, table], { description });
}

/** Names of the fields that a column can fill, apart from the identifier. */
type MappedField<Of extends Fields> = Exclude<
  { [Name in keyof Of]: Of[Name] extends { fromColumn: object } ? Name : never }[keyof Of],
  'id'
>;

type RecordMapping<Of extends Fields> = { id: string | string[] } & {
  [Field in Exclude<MappedField<Of>, OptionalField<Of>>]: string | FieldMapping;
} & { [Field in MappedField<Of> & OptionalField<Of>]?: string | FieldMapping };

export type SubmissionMapping = RecordMapping<typeof submissionFields>;
export type SessionMapping = RecordMapping<typeof sessionFields>;

function createPart<Mapping>(fields: Fields, description: string) {
  const schemas = mapFields(fields, (field) => {
    if (field.fromColumn === undefined) return undefined;
    const schema = createFieldSchema(field.fromColumn.kind, field.fromColumn.description);
    return isOptional(field) ? Type.Optional(schema) : schema;
  });
  const properties = Object.entries(schemas).filter(
    (entry): entry is [string, TSchema] => entry[1] !== undefined,
  );
  return Type.Unsafe<Mapping>(Type.Object(Object.fromEntries(properties), { ...closed, description }));
}

const agenda = Type.Object(
  {
    session: columnOrColumns('Column, or columns, with the id of the session, as in the table of sessions.'),
    submission: columnOrColumns(
      'Column, or columns, with the id of the submission, as in the table of submissions.',
    ),
    separator: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Text between several sessions or submissions in one cell, such as a comma.',
      }),
    ),
    order: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Column of numbers such as 3 or 3.1, in the order of the agenda. Default: the order of the rows.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'Columns that put submissions on agendas: of a table of agenda items, of the table of submissions, or of the table of sessions.',
  },
);

export type AgendaMapping = Static<typeof agenda>;

const skippedValue = Type.Union([
  Type.Literal('filled'),
  Type.Literal('no'),
  Type.Literal('not yes'),
  Type.Literal('future'),
  Type.Literal('past'),
]);

export type SkippedValue = Static<typeof skippedValue>;

export const skippedValues: readonly SkippedValue[] = skippedValue.anyOf.map(({ const: value }) => value);

/** Rows of a table in which the names of the columns can be. */
export const maxHeaderRow = 100;

/** A status from one of these keys is no word of the source. The words of any other are published as `sourceStatus`, too. */
export const statusKeysWithoutWord = ['constant', 'filled'] as const;

/** The keys of the whole file. */
export const fileKeys = {
  delimiter: Type.String({
    pattern: '^(.|tab)$',
    description: 'One character between the cells, or `tab`. Comma, semicolon and tab are detected.',
    examples: [';', ',', 'tab', '|'],
  }),
  sheet: Type.String({
    minLength: 1,
    description: 'Name of the sheet of a spreadsheet. Default: the only visible one with data.',
  }),
  headerRow: word(
    `Row with the names of the columns, from 1 to ${maxHeaderRow}; in CSV the line. The same as \`--header-row\`. Default: the first row below titles.`,
  ),
  records: Type.String({
    minLength: 1,
    description:
      'Path of the records in JSON. Default: the list with the most text. `data.edges[].node` is the object `node` in each entry of the list `data.edges`, and `[]` is the whole content.',
    examples: ['result.records', 'results'],
  }),
  encoding: Type.String({
    minLength: 1,
    description:
      'Encoding of the file. UTF-8, UTF-16 with a byte order mark, Windows-1252 and Mac Roman (`macintosh`) are detected.',
    examples: ['utf-8', 'windows-1252', 'utf-16le'],
  }),
  timeZone: Type.String({
    description:
      'Time zone of dates without an offset. The same as `--time-zone`. Default: that of the municipality.',
    examples: timeZoneExamples,
  }),
  empty: Type.Array(word('A word.'), {
    description: 'Words for an empty cell, such as `NA` or `-`. Case does not matter.',
  }),
  replace: Type.Record(Type.String({ minLength: 1 }), Type.String(), {
    description: 'Damaged text: correct text. Applies to all imported texts.',
  }),
  skip: Type.Record(Type.String(), Type.Union([words, ...skippedValue.anyOf]), {
    description:
      'Column: words. Rows with one of these words in the column are not published; `""` is an empty cell. `filled` in place of words leaves out rows with any value but no, such as the date of a deletion; `no` those with no, “nicht freigegeben”, “vertraulich” and the like, in each language; `not yes` those without yes, “x”, “freigegeben” and the like, or a date that has come; `future` those with an entry other than a date that has come, such as the end of an embargo; `past` those with a date that is over, such as the last day of publication. A source with one of the two is read on every scheduled run, also if it has not changed. A published record is removed when its row gets such a word, unless another row has the record. If a word says that a submission is not public, such as “nein”, “gelöscht” or such a date, no row of the submission is published, except in a table that also has sessions or agendas: there, the word may concern an agenda item.',
  }),
} as const satisfies Record<string, TSchema>;

type OptionalKeys<Keys extends Record<string, TSchema>> = { [Key in keyof Keys]: TOptional<Keys[Key]> };

const optionalFileKeys = Object.fromEntries(
  Object.entries(fileKeys).map(([name, schema]) => [name, Type.Optional(schema)]),
) as OptionalKeys<typeof fileKeys>;

export const tableMappingSchema = Type.Object(
  {
    ...optionalFileKeys,
    submission: Type.Optional(
      createPart<SubmissionMapping>(submissionFields, 'Source of each field of a submission.'),
    ),
    session: Type.Optional(createPart<SessionMapping>(sessionFields, 'Source of each field of a session.')),
    agenda: Type.Optional(agenda),
  },
  {
    ...closed,
    title: 'Mapping of tables to submissions and sessions, for "rostra import table --mapping FILE"',
    anyOf: [{ required: ['submission'] }, { required: ['session'] }],
  },
);

/** As plain JSON. A file is read for each part whose columns it has. */
export type TableMapping = Static<typeof tableMappingSchema>;

/** A mapping that may lack required fields, because no column fits them. */
export type TableMappingDraft = Omit<TableMapping, 'submission' | 'session'> & {
  submission?: Partial<SubmissionMapping>;
  session?: Partial<SessionMapping>;
};
