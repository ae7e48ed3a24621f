/** Reports values that look like misspellings of recommended ones. Vocabularies are open, so the values are imported. */

import type { Field } from '../contract/field.ts';
import { recommendedValues } from '../contract/field-schemas.ts';
import { submissionFieldNames, submissionFields } from '../contract/submission.ts';
import type { ImportRecord } from '../domain/records.ts';
import { didYouMean } from '../text/did-you-mean.ts';

const submissionWords = submissionFieldNames.flatMap((name) => {
  const { words }: Field = submissionFields[name];
  return words === undefined ? [] : [[name, words] as const];
});

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
  return {
    add: (record: ImportRecord): void => {
      if (record.kind === 'submission') {
        for (const [field, words] of submissionWords) count(field, words, String(record[field]));
      } else if (record.kind === 'survey') {
        count('status', recommendedValues.surveyStatus, record.status);
        for (const { questionType } of record.questions)
          count('questionType', recommendedValues.questionType, questionType);
      }
    },
    /** One sentence per suspicious value. */
    notes: (): string[] =>
      [...counts.values()].flatMap(({ field, words, word, count: times }) => {
        const near = didYouMean(word, words, maxDistance);
        return near === undefined
          ? []
          : [`${field} "${word}" (${times}) is not a recommended value. Did you mean "${near}"?`];
      }),
  };
}
