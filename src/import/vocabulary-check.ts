/** Reports values that look like misspellings of recommended ones. Vocabularies are open, so the values are imported. */

import { recommendedValues } from '../contract/field-schemas.ts';
import type { ImportRecord } from '../domain/records.ts';
import { didYouMean } from '../text/did-you-mean.ts';

type Vocabulary = keyof typeof recommendedValues;

const fields: Record<Vocabulary, string> = {
  submissionStatus: 'status',
  priorityLevel: 'priorityLevel',
  surveyStatus: 'status',
  questionType: 'questionType',
};

/** Levenshtein distance. `neu` and `low` have a distance of 3. */
const maxDistance = 2;

/** A limit, because a column of free text can have a different value in each row. */
const maxWords = 1_000;

export function createVocabularyCheck() {
  const counts = new Map<string, { vocabulary: Vocabulary; word: string; count: number }>();
  const count = (vocabulary: Vocabulary, word: string) => {
    const words: readonly string[] = recommendedValues[vocabulary];
    if (words.includes(word)) return;
    const key = `${vocabulary} ${word}`;
    const known = counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (counts.size < maxWords) counts.set(key, { vocabulary, word, count: 1 });
  };
  return {
    add: (record: ImportRecord): void => {
      if (record.kind === 'submission') {
        count('submissionStatus', record.status);
        count('priorityLevel', record.priorityLevel);
      } else if (record.kind === 'survey') {
        count('surveyStatus', record.status);
        for (const { questionType } of record.questions) count('questionType', questionType);
      }
    },
    /** One sentence per suspicious value. */
    notes: (): string[] =>
      [...counts.values()].flatMap(({ vocabulary, word, count: times }) => {
        const near = didYouMean(word, recommendedValues[vocabulary], maxDistance);
        return near === undefined
          ? []
          : [
              `${fields[vocabulary]} "${word}" (${times}) is not a recommended value. Did you mean "${near}"?`,
            ];
      }),
  };
}
