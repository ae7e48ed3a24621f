/** The words of `src/ingest/records/vocabulary` are complete and contradict each other in no language. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { spellVariants } from '../../src/ingest/records/vocabulary/split-words.ts';
import {
  findPersonalDataName,
  findPublicityFlag,
  findStatus,
  type LanguageFile,
  readLanguageFiles,
} from '../../src/ingest/records/vocabulary/vocabulary.ts';

const languages = Object.entries(readLanguageFiles());

/** Each entry with its list, such as `statuses.received`. */
function listEntries({
  fields,
  statuses,
  personalData,
  ...others
}: LanguageFile): [list: string, entry: string][] {
  const groups = { fields, statuses, personalData, words: others as Record<string, string[]> };
  return Object.entries(groups).flatMap(([group, lists]) =>
    Object.entries(lists).flatMap(([name, entries]) =>
      (entries as string[]).map((entry): [string, string] => [`${group}.${name}`, entry]),
    ),
  );
}

suite('the words of', () => {
  const english = languages.find(([code]) => code === 'en')?.[1] as LanguageFile;

  for (const [code, language] of languages) {
    test(`${code} cover all fields, statuses and kinds of personal data`, () => {
      for (const group of ['fields', 'statuses', 'personalData'] as const)
        assert.deepEqual(Object.keys(language[group]).toSorted(), Object.keys(english[group]).toSorted());
      for (const [list, entry] of listEntries(language))
        assert.match(entry, /^=?[\p{Ll}\p{N}·]+( [\p{Ll}\p{N}·]+)*$/u, `${code}: ${list}: ${entry}`);
    });

    test(`${code} occur once in each list`, () => {
      const seen = new Set<string>();
      for (const [list, entry] of listEntries(language)) {
        const [words] = spellVariants(entry);
        const key = `${list}: ${entry.startsWith('=') ? '=' : ''}${words}`;
        assert.ok(!seen.has(key), `${code}: ${key} occurs twice`);
        seen.add(key);
      }
    });

    test(`${code} for fields are not words for personal data of any language`, () => {
      const { latitude: _, longitude: __, ...fields } = language.fields;
      for (const [field, entries] of Object.entries(fields))
        for (const entry of entries)
          assert.equal(findPersonalDataName(entry), undefined, `${code}: fields.${field}: ${entry}`);
    });
  }
});

test('no two languages understand the same word as different statuses, or kinds of personal data', () => {
  for (const group of ['statuses', 'personalData'] as const) {
    const meanings = new Map<string, string>();
    for (const [code, language] of languages)
      for (const [meaning, entries] of Object.entries(language[group]))
        for (const words of (entries as string[]).flatMap(spellVariants)) {
          const other = meanings.get(words);
          assert.ok(other === undefined || other === meaning, `${code}: ${words} is ${meaning} and ${other}`);
          meanings.set(words, meaning);
        }
  }
});

test('a column name of thousands of words is read to its last one', () => {
  const others = 'wort '.repeat(10_000);
  assert.equal(findPublicityFlag(`${others}nicht veröffentlichen`), 'withheld');
  assert.equal(findPublicityFlag(others), undefined);
});

test('a result with its votes, or another word, in brackets keeps its meaning', () => {
  const expected: Record<string, string> = {
    'abgelehnt (einstimmig)': 'rejected',
    'abgelehnt (mehrheitlich beschlossen)': 'rejected',
    'vertagt (einstimmig beschlossen)': 'in_review',
    'empfohlen (einstimmig)': 'in_review',
    'zur Kenntnis genommen (einstimmig)': 'completed',
    'beschlossen (einstimmig)': 'accepted',
    'erledigt (abgelehnt)': 'rejected',
    'Rejected (closed)': 'rejected',
    'Duplicate (closed)': 'withdrawn',
    'Closed (fixed)': 'completed',
    'Approved (unanimously)': 'accepted',
    'einstimmig (vertagt)': 'in_review',
  };
  for (const [word, status] of Object.entries(expected))
    assert.equal(findStatus(word, 'Status'), status, word);
});
