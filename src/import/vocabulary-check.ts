/** Words of open vocabularies that are probably misspelt: a municipality may have its own, so they are told and kept. */

import { recommendedValues } from '../contract/resource-schemas.ts';
import type { ImportRecord } from '../domain/records.ts';
import { didYouMean } from '../text/did-you-mean.ts';

export interface VocabularyCheck {
  add(record: ImportRecord): void;
  /** A sentence for each word that is nearly a recommended one. */
  notes(): string[];
}

type Vocabulary = keyof typeof recommendedValues;

const fields: Record<Vocabulary, string> = {
  submissionStatus: 'status',
  priorityLevel: 'priorityLevel',
  surveyStatus: 'status',
  questionType: 'questionType',
};

/** Letters. A word such as `neu` is three from `low`. */
const farthest = 2;

/** A column of free text has as many words as rows. */
const mostWords = 1_000;

export function createVocabularyCheck(): VocabularyCheck {
  const counts = new Map<string, { vocabulary: Vocabulary; word: string; count: number }>();
  const count = (vocabulary: Vocabulary, word: string) => {
    const words: readonly string[] = recommendedValues[vocabulary];
    if (words.includes(word)) return;
    const key = `${vocabulary} ${word}`;
    const known = counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (counts.size < mostWords) counts.set(key, { vocabulary, word, count: 1 });
  };
  return {
    add: (record) => {
      if (record.kind === 'submission') {
        count('submissionStatus', record.status);
        count('priorityLevel', record.priorityLevel);
      } else if (record.kind === 'survey') {
        count('surveyStatus', record.status);
        for (const { questionType } of record.questions) count('questionType', questionType);
      }
    },
    notes: () =>
      [...counts.values()].flatMap(({ vocabulary, word, count: times }) => {
        const near = didYouMean(word, recommendedValues[vocabulary], farthest);
        return near === undefined
          ? []
          : [`${fields[vocabulary]} "${word}" (${times}) is no recommended word: is it "${near}"?`];
      }),
  };
}
