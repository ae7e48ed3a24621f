/** The admin area describes each format and its options without loading the registry of formats. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from '../../src/admin/messages/de.ts';
import { en } from '../../src/admin/messages/en.ts';
import { formatNames, formatOptions, partialFormats } from '../../src/admin/pages/imports/format-options.ts';
import { redactionKinds } from '../../src/domain/import-source.ts';
import { formats } from '../../src/import/format-registry.ts';

/** `--paper-types <words>` → `paperTypes`. */
const toName = (flags: string) =>
  flags
    .replace(/^--/, '')
    .replace(/[ =].*$/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

test('the admin area offers every format', () => {
  assert.deepEqual([...formatNames].sort(), formats.map(({ name }) => name).sort());
});

for (const { name, options = [] } of formats)
  test(`the form of ${name} has all its options`, () => {
    const expected = options
      .map(({ flags, isFile }) => ({
        name: toName(flags),
        kind: isFile ? 'file' : flags.includes('<') ? 'value' : 'flag',
      }))
      // The mapping has a form of its own.
      .filter((option) => option.name !== 'mapping');
    const offered = (formatOptions[name] ?? []).map(({ name, kind }) => ({
      name,
      kind: kind === 'file' || kind === 'flag' ? kind : 'value',
    }));
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    assert.deepEqual(offered.sort(byName), expected.sort(byName));
  });

test('the form never offers to delete records that are missing in a part of the data', () => {
  assert.deepEqual(
    [...partialFormats].sort(),
    formats
      .filter(({ isPartialInput }) => isPartialInput)
      .map(({ name }) => name)
      .sort(),
  );
});

for (const [language, text] of [
  ['English', en],
  ['German', de],
] as const)
  test(`formats, options and kinds of personal data have ${language} names`, () => {
    for (const name of formatNames) assert.ok(text.importFormats[name], name);
    for (const { name } of Object.values(formatOptions).flat())
      assert.ok(text.importSettings.option[name]?.label, name);
    for (const kind of redactionKinds) assert.ok(text.importSettings.personalData.kinds[kind]?.label, kind);
  });
