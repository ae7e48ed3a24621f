/** Invalid mapping files are rejected with the line of the mistake, before any row is read. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails } from '../support/cli-workspace.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { createTableImporter, minimalMapping } from './table-importer.ts';

const minimalSession = 'session:\n  id: nr\n  committeeName: body\n  date: date\n';

const harness = await createImportHarness({ after });
const { writeMapping } = createTableImporter(harness);

suite('a mapping file is rejected with the line of', { concurrency: 2 }, () => {
  const mistakes: Record<string, [text: string, sentence: RegExp]> = {
    'invalid YAML': ['submission:\n  id: nr\n description: x\n', /line 3: /],
    'a tab as indentation': ['submission:\n\tid: nr\n', /line 2: .*[Tt]ab/],
    'a repeated key': [`${minimalMapping}  id: x\n`, /line 5: Map keys must be unique/],
    'an alias': [`${minimalMapping.replace('text', '&t text')}  status: *t\n`, /has an alias or anchor/],
    'a special character without quotation marks': [
      `empty: [-, NA]\n${minimalMapping}`,
      /line 1: .+\. Quote texts with special characters, such as - : # or "/,
    ],
    nothing: ['', /line 1: the mapping must be a list of "name: value" lines/],
    'a text': ['hello\n', /line 1: the mapping must be/],
    'an unknown field': [
      `${minimalMapping}  statsu: x\n`,
      /line 5: submission\.statsu is unknown; is it "status"\?\n/,
    ],
    'an unknown key of a field': [
      `${minimalMapping}  status:\n    colum: x\n`,
      /line 6: submission\.status\.colum is unknown; is it "column"\?/,
    ],
    'an unknown setting': [
      `delimeter: ";"\n${minimalMapping}`,
      /line 1: delimeter is unknown; is it "delimiter"\?/,
    ],
    'no id': [minimalMapping.replace('  id: nr\n', ''), /line 1: submission\.id is missing/],
    'no submission': ['delimiter: ";"\n', /line 1: the mapping must have submission or session/],
    'two sources': [
      `${minimalMapping}  status: { column: a, constant: b }\n`,
      /line 5: submission\.status must have exactly one of column, columns and constant/,
    ],
    'no source': [
      `${minimalMapping}  status:\n    default: x\n`,
      /line 5: submission\.status must have exactly one of column/,
    ],
    'a list instead of a column': [
      `${minimalMapping}  status: [a, b]\n`,
      /line 5: submission\.status must be a column, or a table/,
    ],
    'an empty name': [
      `${minimalMapping}  status:\n`,
      /line 5: submission\.status must be a column, or a table/,
    ],
    'a delimiter of two characters': [
      `delimiter: "||"\n${minimalMapping}`,
      /line 1: delimiter must be one character, or "tab"/,
    ],
    'an unknown encoding': [
      `encoding: utf8mb4\n${minimalMapping}`,
      /line 1: encoding must be an encoding such as utf-8/,
    ],
    'an unknown time zone': [
      `timeZone: Berlin\n${minimalMapping}`,
      /line 1: timeZone must be a time zone such as Europe\/Berlin/,
    ],
    'a date pattern with an unknown token': [
      minimalMapping.replace('date\n', '{ column: date, date: dd.mm.yyyy }\n'),
      /line 4: submission\.createdAt\.date has "dd", which is unknown\. Tokens are YYYY/,
    ],
    'hours of 1 to 12 without AM or PM': [
      minimalMapping.replace('date\n', '\n    column: date\n    date: DD.MM.YYYY hh:mm\n'),
      /line 6: submission\.createdAt\.date has hours of 1 to 12 \(hh\) without AM or PM/,
    ],
    'a date pattern without a year': [
      minimalMapping.replace('date\n', '{ column: date, date: DD.MM. }\n'),
      /has no year/,
    ],
    'a date pattern without a month': [
      minimalMapping.replace('date\n', '{ column: date, date: YYYY DD }\n'),
      /has the day without the month/,
    ],
    'an invalid value': [
      `${minimalMapping}  hasAttachments:\n    column: a\n    values:\n      ja: yes\n`,
      /line 8: submission\.hasAttachments\.values\.ja is "yes", and must be true or false/,
    ],
    'an invalid constant': [
      `${minimalMapping}  supportCount: { constant: many }\n`,
      /line 5: submission\.supportCount\.constant is "many", and must be a whole number/,
    ],
    'an unused default': [
      `${minimalMapping}  hasAttachments: { column: a, default: true }\n`,
      /line 5: submission\.hasAttachments\.default needs values/,
    ],
    'a replacement of an empty text': [
      `replace: { "": x }\n${minimalMapping}`,
      /line 1: replace has an empty key/,
    ],
    'the same separator for thousands and decimals': [
      `${minimalMapping}  supportCount: { column: n, thousands: ",", decimal: "," }\n`,
      /line 5: submission\.supportCount\.thousands equals the decimal separator/,
    ],
    'an invalid word for filled cells': [
      `${minimalMapping}  status: { column: closed, filled: "" }\n`,
      /line 5: submission\.status\.filled is "", and must be a word/,
    ],
    'an empty list of date patterns': [
      minimalMapping.replace('date\n', '{ column: date, date: [] }\n'),
      /line 4: submission\.createdAt\.date must not be empty/,
    ],
    'an unknown token in a list of date patterns': [
      minimalMapping.replace('date\n', '{ column: date, date: [ISO, dd.mm.yyyy] }\n'),
      /line 4: submission\.createdAt\.date has "dd", which is unknown/,
    ],
    'a session without a committee': [
      'session:\n  id: nr\n  date: date\n',
      /session\.committeeName is missing/,
    ],
    'an unknown field of a session': [
      `${minimalSession}  comitteeName: x\n`,
      /line 5: session\.comitteeName is unknown; is it "committeeName"\?/,
    ],
    'an unknown key of a field of a session': [
      minimalSession.replace('date: date', 'date: { column: date, default: x }'),
      /session\.date\.default is unknown/,
    ],
    'three columns of a time slot': [
      `${minimalSession}  timeSlot: { columns: [a, b, c] }\n`,
      /line 5: session\.timeSlot\.columns must be the start and the end/,
    ],
    'an unknown time zone of a session': [
      minimalSession.replace('date: date', 'date: { column: date, timeZone: Berlin }'),
      /session\.date\.timeZone must be a time zone/,
    ],
    'an empty committee': [
      minimalSession.replace('committeeName: body', 'committeeName: { constant: "" }'),
      /session\.committeeName\.constant is "", and must be a word/,
    ],
    'an agenda without sessions': [
      `${minimalMapping}agenda: { session: s, submission: nr }\n`,
      /line 5: agenda needs session/,
    ],
    'an agenda without submissions': [
      `${minimalSession}agenda: { session: nr }\n`,
      /line 5: agenda\.submission is missing/,
    ],
    'an unknown key of an agenda': [
      `${minimalSession}agenda: { session: nr, submission: paper, seperator: ";" }\n`,
      /line 5: agenda\.seperator is unknown; is it "separator"\?/,
    ],
    'a separator of ids of several columns': [
      `${minimalSession}agenda: { session: [nr, year], submission: [a, b], separator: ";" }\n`,
      /line 5: agenda\.separator needs a single column/,
    ],
    'a table instead of a link column': [
      `${minimalSession}agenda: { session: { column: nr }, submission: paper }\n`,
      /line 5: agenda\.session must be a column, or a list of columns/,
    ],
  };
  for (const [what, [text, sentence]] of Object.entries(mistakes)) {
    test(what, async () => {
      const file = writeMapping(text);
      const { stderr } = await assertFails(
        harness.workspace.withDatabase('import', 'table', '--explain', '--mapping', file),
        2,
        sentence,
      );
      assert.match(stderr, /mapping-\d+\.yaml/);
    });
  }

  test('a missing file', async () => {
    await assertFails(
      harness.workspace.withDatabase('import', 'table', '--explain', '--mapping', 'none.yaml'),
      2,
      /There is no file none\.yaml\./,
    );
  });
});
