import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { toCsv } from '../support/files.ts';
import { assertCounts } from '../support/import-harness.ts';
import { header, lss, responses } from './limesurvey-export.ts';
import { createSurveyHarness } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });
const format = 'survey-rows';
const lssFile = harness.workspace.writeFile('structure.lss', lss);

suite('the import of a survey explains', { concurrency: 2 }, () => {
  const table = toCsv(',', [header, ...responses]);
  const cases: Record<string, [content: string | Buffer, flags: string[], message: RegExp]> = {
    'a missing column of the structure': [
      table.replace('use[SQ002]', 'foo'),
      ['--structure', lssFile],
      /does not fit the structure: it has no column use_sq002/,
    ],
    'answers that are missing in the structure': [
      table.replaceAll(',A1,', ',Q,').replaceAll(',A2,', ',R,'),
      ['--structure', lssFile],
      /most answers to happy are none of its options/,
    ],
    'a question that is missing in the structure': [
      table,
      ['--structure', lssFile, '--questions', 'foo'],
      /no question foo/,
    ],
    'a missing column': [table, ['--questions', 'foo'], /no column "foo"/],
    'a zip archive': [Buffer.from('PK\x03\x04rest'), [], /is a truncated or damaged zip archive/],
    'an empty file': ['', [], /is empty/],
    JSON: ['[{"a": 1}]', [], /is not a table/],
    'a threshold below 3': [table, ['--threshold', '2'], /whole number of at least 3/],
    'a draft': [table, ['--status', 'draft'], /must be one of active, closed, archived/],
    'a structure with a DOCTYPE': [
      table,
      [
        '--structure',
        harness.workspace.writeFile(
          'evil.lss',
          lss.replace('<document>', '<!DOCTYPE document [<!ENTITY a "b">]><document>'),
        ),
      ],
      /has a DOCTYPE/,
    ],
    'a structure that ends early': [
      table,
      ['--structure', harness.workspace.writeFile('cut.lss', lss.slice(0, 900))],
      /is not valid XML/,
    ],
    'an archive of LimeSurvey': [
      table,
      ['--structure', harness.workspace.writeFile('a.lsa', 'PK\x03\x04')],
      /is a zip archive/,
    ],
    'a structure without questions': [
      table,
      ['--structure', harness.workspace.writeFile('x.txt', 'a\tb\r\n1\t2\r\n')],
      /has no questions/,
    ],
    'a missing structure': [
      table,
      ['--structure', join(harness.workspace.folder, 'none.lss')],
      /There is no file .*none\.lss\./,
    ],
    'a structure that is a folder': [
      table,
      ['--structure', harness.workspace.folder],
      /cannot be read: it is a folder/,
    ],
    'a structure in another encoding': [
      table,
      ['--structure', harness.workspace.writeFile('latin.txt', Buffer.from('caf\xe9', 'latin1'))],
      /cannot be read: it is not UTF-8/,
    ],
  };
  for (const [what, [content, flags, message]] of Object.entries(cases)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, content, { format, flags });
      assert.notEqual(result.code, 0);
      assert.match(result.stderr, message);
      assert.deepEqual(await store.listSurveys(town.id), []);
    });
  }

  test('two files, and a row that does not fit the header, while other rows count', async () => {
    const town = await harness.createMunicipality();
    const path = harness.workspace.writeFile('a.csv', table);
    const two = await harness.importContent(town, [path, path], { format });
    assert.match(two.stderr, /one file of responses at a time/);
    const result = await harness.importContent(town, `${table}1,2,3\r\n`, {
      format,
      flags: ['--structure', lssFile],
    });
    assert.equal(result.code, 3);
    assertCounts(result, { inserted: 1, rejected: 1 });
    assert.equal(result.rejections[0]?.line, 105);
  });
});
