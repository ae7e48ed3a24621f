/** Mapping files that are wrong: each is refused with the line of the mistake, before any row is read. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { refused } from '../support/cli-workspace.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { mappedTables, simple } from './mapped-tables.ts';

const harness = await createImportHarness({ after });
const { mappingFile } = mappedTables(harness);

suite('a mapping is refused with its line:', { concurrency: 2 }, () => {
  const mistakes: Record<string, [text: string, sentence: RegExp]> = {
    'no YAML': ['submission:\n  id: nr\n description: x\n', /line 3: /],
    'a tab as indentation': ['submission:\n\tid: nr\n', /line 2: .*[Tt]ab/],
    'a key twice': [`${simple}  id: x\n`, /line 5: Map keys must be unique/],
    'an alias': [`${simple.replace('text', '&t text')}  status: *t\n`, /refers from one place to another/],
    'a sign without quotation marks': [
      `empty: [-, NA]\n${simple}`,
      /line 1: .+\. A text with signs in it, such as - : # or ", is safe between quotation marks/,
    ],
    nothing: ['', /line 1: the mapping must be a list of "name: value" lines/],
    'a text': ['hello\n', /line 1: the mapping must be/],
    'a field that is not known': [
      `${simple}  statsu: x\n`,
      /line 5: submission\.statsu is not known here; is it "status"\?\n/,
    ],
    'a part that is not known': [
      `${simple}  status:\n    colum: x\n`,
      /line 6: submission\.status\.colum is not known here; is it "column"\?/,
    ],
    'a setting that is not known': [
      `delimeter: ";"\n${simple}`,
      /line 1: delimeter is not known here; is it "delimiter"\?/,
    ],
    'no id': [simple.replace('  id: nr\n', ''), /line 1: submission\.id is missing/],
    'no submission': ['delimiter: ";"\n', /line 1: submission is missing/],
    'two origins': [
      `${simple}  status: { column: a, constant: b }\n`,
      /line 5: submission\.status must have one of column, columns and constant, and only one/,
    ],
    'no origin': [
      `${simple}  status:\n    default: x\n`,
      /line 5: submission\.status must have one of column/,
    ],
    'a list in place of a column': [
      `${simple}  status: [a, b]\n`,
      /line 5: submission\.status must be a column, or a table/,
    ],
    'an empty name': [`${simple}  status:\n`, /line 5: submission\.status must be a column, or a table/],
    'a delimiter of two characters': [
      `delimiter: "||"\n${simple}`,
      /line 1: delimiter must be one character, or "tab"/,
    ],
    'an encoding there is not': [
      `encoding: utf8mb4\n${simple}`,
      /line 1: encoding must be an encoding such as utf-8/,
    ],
    'a time zone there is not': [
      `timeZone: Berlin\n${simple}`,
      /line 1: timeZone must be a time zone such as Europe\/Berlin/,
    ],
    'a date form with an unknown part': [
      simple.replace('date\n', '{ column: date, date: dd.mm.yyyy }\n'),
      /line 4: submission\.createdAt\.date has "dd", which is no part of a date: YYYY/,
    ],
    'hours of 1 to 12 without AM or PM': [
      simple.replace('date\n', '\n    column: date\n    date: DD.MM.YYYY hh:mm\n'),
      /line 6: submission\.createdAt\.date has hours of 1 to 12 \(hh\) without AM or PM/,
    ],
    'a date form without a year': [
      simple.replace('date\n', '{ column: date, date: DD.MM. }\n'),
      /has no year/,
    ],
    'a date form that leaves out the month': [
      simple.replace('date\n', '{ column: date, date: YYYY DD }\n'),
      /has the day without the month/,
    ],
    'a value that is not allowed': [
      `${simple}  hasAttachments:\n    column: a\n    values:\n      ja: yes\n`,
      /line 8: submission\.hasAttachments\.values\.ja is "yes", and must be true or false/,
    ],
    'a constant that is not allowed': [
      `${simple}  supportCount: { constant: many }\n`,
      /line 5: submission\.supportCount\.constant is "many", and must be a whole number/,
    ],
    'a default that nothing leads to': [
      `${simple}  hasAttachments: { column: a, default: true }\n`,
      /line 5: submission\.hasAttachments\.default needs values/,
    ],
    'a replacement of nothing': [
      `replace: { "": x }\n${simple}`,
      /line 1: replace has a line that looks for nothing/,
    ],
    'a sign for two purposes': [
      `${simple}  supportCount: { column: n, thousands: ",", decimal: "," }\n`,
      /line 5: submission\.supportCount\.thousands is the decimal sign too/,
    ],
  };
  for (const [what, [text, sentence]] of Object.entries(mistakes)) {
    test(what, async () => {
      const file = mappingFile(text);
      const { stderr } = await refused(
        harness.workspace.on('import', 'csv', '--explain', '--mapping', file),
        2,
        sentence,
      );
      assert.match(stderr, /mapping-\d+\.yaml/);
    });
  }

  test('a file that is not there', async () => {
    await refused(
      harness.workspace.on('import', 'csv', '--explain', '--mapping', 'none.yaml'),
      2,
      /There is no file none\.yaml\./,
    );
  });
});
