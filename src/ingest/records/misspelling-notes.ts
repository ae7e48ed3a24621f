/** Reports values that look like misspellings of recommended ones. Vocabularies are open, so the values are imported. */

import type { Fields } from '../../contract/field.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import { type ImportRecord, mapFieldsByKind } from '../../domain/records/records.ts';
import { didYouMean } from '../../platform/did-you-mean.ts';
import { createCounter } from './bounded-counter.ts';

const listVocabularies = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, { words }]) =>
    words === undefined ? [] : [[name, words] as const],
  );

const vocabularies = mapFieldsByKind(listVocabularies);

/** Levenshtein distance. `neu` and `low` have a distance of 3. */
const maxDistance = 2;

export function createVocabularyCheck() {
  const counter = createCounter<{ field: string; words: readonly string[]; word: string }>(
    ({ field, words, word }) => `${field} ${words[0]} ${word}`,
  );
  const countWords = (kind: keyof typeof vocabularies, values: object) => {
    for (const [field, words] of vocabularies[kind]) {
      const word = String((values as Readonly<Record<string, unknown>>)[field]);
      if (!words.includes(word)) counter.add({ field, words, word });
    }
  };
  return {
    add: (record: ImportRecord): void => {
      if (record.kind === 'submission' || record.kind === 'survey') countWords(record.kind, record);
      if (record.kind === 'survey') for (const question of record.questions) countWords('question', question);
    },
    /** One per suspicious value. */
    notes: (): Reason[] =>
      counter.list().flatMap(({ field, words, word, count: times }) => {
        const near = didYouMean(word, words, maxDistance);
        return near === undefined
          ? []
          : [{ code: 'value-not-recommended', field, value: word, count: times, near }];
      }),
  };
}
