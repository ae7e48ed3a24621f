/**
 * What a mapping file may say. The check of a file, the types and `examples/csv-mapping.schema.json`, by which
 * editors complete and mark, all come from this one value.
 */
import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false };

/** A word of the file. An editor reads `1`, `true` and `null` as something else; they are meant as written. */
const word = (description: string) =>
  Type.Unsafe<string>({ type: ['string', 'number', 'boolean', 'null'], description });

const columnName = (description: string) => Type.String({ minLength: 1, description });
const column = columnName('Name of a column, as it stands in the first line of the file.');
const columns = Type.Array(column, { minItems: 1, description: 'Columns whose cells become one text.' });
const join = Type.String({ description: 'What is put between the cells of `columns`; a space unless said.' });
const constant = word('The same for every row, whatever the file says.');
const values = Type.Record(Type.String(), word('Our word.'), {
  description:
    'Their word: ours. Upper and lower case count as the same. A word that is not listed is taken for `default`; without one, the row is refused.',
});
const otherwise = word('Taken where the cell is empty, or has a word that `values` does not list.');
const timeZone = Type.String({
  description: 'Time zone in which the times are meant.',
  examples: ['Europe/Berlin', 'America/New_York'],
});

/** Of `column`, `columns` and `constant`, those that a field can have; it has exactly one. */
const oneOf = (...names: string[]) => ({ ...closed, oneOf: names.map((name) => ({ required: [name] })) });
const textOrigins = oneOf('column', 'columns', 'constant');
const singleOrigins = oneOf('column', 'constant');

const textOrigin = {
  column: Type.Optional(column),
  columns: Type.Optional(columns),
  join: Type.Optional(join),
  constant: Type.Optional(constant),
};

const text = (description: string) =>
  Type.Union(
    [
      column,
      Type.Object(
        {
          ...textOrigin,
          values: Type.Optional(values),
          default: Type.Optional(otherwise),
        },
        textOrigins,
      ),
    ],
    { description },
  );

const time = (description: string) =>
  Type.Union(
    [
      column,
      Type.Object(
        {
          ...textOrigin,
          date: Type.Optional(
            Type.String({
              minLength: 1,
              description:
                '`ISO` (unless said), `unix` (seconds since 1970), or the form of the dates: YYYY or YY year, MM or M month, DD or D day, HH or H hour 0–23, hh or h hour 1–12 with A for AM or PM, mm minute, ss second, SSS thousandths, Z offset from UTC; anything in [brackets] stands for itself.',
              examples: ['DD.MM.YYYY', 'MM/DD/YYYY hh:mm:ss A', 'YYYY-MM-DD HH:mm', 'ISO', 'unix'],
            }),
          ),
          timeZone: Type.Optional(timeZone),
        },
        textOrigins,
      ),
    ],
    { description },
  );

const submission = Type.Object(
  {
    id: Type.Union([column, Type.Array(column, { minItems: 1 })], {
      description:
        'The column that tells one row from every other, and stays the same from export to export; or several columns that do so together.',
    }),
    referenceNumber: Type.Optional(text('The number the municipality files it under.')),
    description: text('What is asked for.'),
    status: Type.Optional(
      text(
        'Where it stands: submitted (unless said), received, in_review, accepted, rejected, completed, withdrawn, or a word of yours.',
      ),
    ),
    topicCategoryName: Type.Optional(text('The topic it is filed under.')),
    priorityLevel: Type.Optional(
      text('How urgent it is: low, normal (unless said), high, urgent, or a word of yours.'),
    ),
    supportCount: Type.Optional(
      Type.Union(
        [
          column,
          Type.Object(
            {
              column: Type.Optional(column),
              constant: Type.Optional(constant),
              default: Type.Optional(otherwise),
              decimal: Type.Optional(
                Type.String({
                  enum: ['.', ','],
                  description: 'Decimal sign, as in 12,0; a point unless said.',
                }),
              ),
              thousands: Type.Optional(
                Type.String({
                  enum: ['.', ',', ' ', "'"],
                  description: 'What stands between thousands, as in 1.234.',
                }),
              ),
            },
            singleOrigins,
          ),
        ],
        { description: 'How many people support it; 0 unless said.' },
      ),
    ),
    hasAttachments: Type.Optional(
      Type.Union(
        [
          column,
          Type.Object(
            {
              column: Type.Optional(column),
              constant: Type.Optional(constant),
              values: Type.Optional(values),
              default: Type.Optional(otherwise),
            },
            singleOrigins,
          ),
        ],
        {
          description:
            'Whether documents or pictures belong to it: true where the column is filled, or `values` from their words to true and false.',
        },
      ),
    ),
    protocolUrl: Type.Optional(text('Address of the minutes of the session that decided on it.')),
    createdAt: time('When it was made.'),
    statusChangedAt: Type.Optional(time('When its status last changed; `createdAt` unless said.')),
  },
  { ...closed, description: 'Where each field of a submission comes from.' },
);

export const csvMappingSchema = Type.Object(
  {
    delimiter: Type.Optional(
      Type.String({
        pattern: '^(.|tab)$',
        description: 'What stands between cells: one character, or `tab`; found out unless said.',
        examples: [';', ',', 'tab', '|'],
      }),
    ),
    encoding: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Encoding of the file; found out from its beginning unless said.',
        examples: ['utf-8', 'windows-1252', 'utf-16le'],
      }),
    ),
    timeZone: Type.Optional(timeZone),
    empty: Type.Optional(
      Type.Array(word('A word.'), {
        description:
          'Words that mean that a cell is empty, such as NA or -; upper and lower case count as the same.',
      }),
    ),
    replace: Type.Optional(
      Type.Record(Type.String({ minLength: 1 }), Type.String(), {
        description: 'Damaged characters: what they should be. Put right in every text that is taken.',
      }),
    ),
    skip: Type.Optional(
      Type.Record(Type.String(), Type.Array(word('A word.'), { minItems: 1 }), {
        description:
          'Column: words. Rows in which the column has one of them are left out; "" is an empty cell.',
      }),
    ),
    submission,
  },
  { ...closed, title: 'Mapping of a CSV file to submissions, for "rostra import csv --mapping FILE"' },
);

export type CsvMapping = Static<typeof csvMappingSchema>;

/** How a field is mapped, all that any of them can say; a bare name is a column. */
export interface FieldMapping {
  column?: string | undefined;
  columns?: string[] | undefined;
  join?: string | undefined;
  constant?: string | undefined;
  values?: Record<string, string> | undefined;
  default?: string | undefined;
  date?: string | undefined;
  timeZone?: string | undefined;
  decimal?: string | undefined;
  thousands?: string | undefined;
}
