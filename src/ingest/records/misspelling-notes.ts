/** Reports values that look like misspellings of recommended ones. Vocabularies are open, so the values are imported. */

import type { Fields } from '../../contract/field.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import { type ImportRecord, mapFieldsByKind } from '../../domain/records/records.ts';
import { didYouMean } from '../../platform/did-you-mean.ts';

const listVocabularies = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, { words }]) =>
    words === undefined ? [] : [[name, words] as const],
  );

const vocabularies = mapFieldsByKind(listVocabularies);

/** Levenshtein distance. `neu` and `low` have a distance of 3. */
const maxDistance = 2;

/** A limit, because a column of free text can have a different value in each row. */
const maxWords = 1_000;

export function createVocabularyCheck() {
  const counts = new Map<string, { field: string; words: readonly string[]; word: string; count: number }>();
  const count = (field: string, words: readonly string[], word: string) => {
    if (words.includes(word)) return;
    const key = `${field} ${words[0]} ${word}`;
    const known = counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (counts.size < maxWords) counts.set(key, { field, words, word, count: 1 });
  };
  const countWords = (kind: keyof typeof vocabularies, values: object) => {
    for (const [field, words] of vocabularies[kind])
      count(field, words, String((values as Readonly<Record<string, unknown>>)[field]));
  };
  return {
    add: (record: ImportRecord): void => {
      if (record.kind === 'submission' || record.kind === 'survey') countWords(record.kind, record);
      if (record.kind === 'survey') for (const question of record.questions) countWords('question', question);
    },
    /** One per suspicious value. */
    notes: (): Reason[] =>
      [...counts.values()].flatMap(({ field, words, word, count: times }) => {
        const near = didYouMean(word, words, maxDistance);
        return near === undefined
          ? []
          : [{ code: 'value-not-recommended', field, value: word, count: times, near }];
      }),
  };
}
