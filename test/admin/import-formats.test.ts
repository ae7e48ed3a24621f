/** The words of formats are complete. Forms, flags and stored options follow from the descriptions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactionKinds } from '../../src/domain/sources/import-source.ts';
import { formats } from '../../src/ingest/formats/format-registry.ts';
import { de } from '../../src/web/messages/de.ts';
import { en } from '../../src/web/messages/en.ts';

test('each name of an option has one meaning in all formats', () => {
  const shared = Map.groupBy(
    formats.flatMap(({ options }) => Object.entries(options)),
    ([name]) => name,
  );
  for (const [name, declared] of shared)
    assert.equal(new Set(declared.map(([, { schema }]) => JSON.stringify(schema))).size, 1, name);
});

for (const [language, text] of [
  ['English', en],
  ['German', de],
] as const)
  test(`formats, options and kinds of personal data have ${language} names`, () => {
    for (const { name, options } of formats) {
      assert.ok(text.importFormats[name], name);
      // The mapping has a form of its own.
      for (const option of Object.keys(options))
        if (option !== 'mapping') assert.ok(text.importSettings.option[option]?.label, option);
    }
    for (const kind of redactionKinds) assert.ok(text.importSettings.personalData.kinds[kind]?.label, kind);
  });
