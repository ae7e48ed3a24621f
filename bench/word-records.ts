/** Submissions whose texts have as many different words as real ones, for measurements of searches by words. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { SubmissionRecord } from '../src/domain/records/records.ts';
import { demoMunicipalities } from '../src/program/demo/generate-demo-municipalities.ts';
import { createRandom, type Random } from '../src/program/demo/seeded-random.ts';

/** Words that texts have beside those of the demo and of the vocabulary, by the share of records that have them. */
export const markers = {
  /** In one record, in the middle of the list. */
  once: 'einzelzeichen',
  /** One of 200 records. */
  rare: 'seltenzeichen',
  /** A quarter of the records. */
  frequent: 'häufigzeichen',
  /** Another quarter: no record has both. */
  opposite: 'gegenzeichen',
  /** Every record of another municipality. */
  foreign: 'fremdzeichen',
  unknown: 'nirgendzeichen',
};

/** Begins more words of the vocabulary than any other three letters. */
export const frequentBeginning = 'ver';

/** Records for each one with the marker. */
const perRare = 200;
const vocabularySize = 50_000;
/** Of the vocabulary, in each text, beside those of the demo. */
const addedWords = { lowest: 8, highest: 22 };
const seed = 20_261_129;

/** As old as a municipality that has published for ten years. */
const firstMs = Date.UTC(2015, 0);
const allMs = 10 * 365 * 86_400_000;

const beginnings = [
  'ver',
  'ver',
  'be',
  'ge',
  'ein',
  'aus',
  'auf',
  'vor',
  'zer',
  'über',
  'unter',
  '',
  '',
  '',
  '',
  '',
];
const onsets = [
  'b',
  'br',
  'd',
  'f',
  'g',
  'h',
  'k',
  'kl',
  'l',
  'm',
  'n',
  'pf',
  'r',
  's',
  'sch',
  'st',
  't',
  'w',
  'z',
];
const vowels = ['a', 'ä', 'au', 'e', 'ei', 'i', 'ie', 'o', 'ö', 'u', 'ü', 'eu'];
const codas = ['b', 'ch', 'ck', 'g', 'l', 'm', 'n', 'nd', 'ng', 'r', 'rt', 's', 'ß', 'st', 't', 'tz'];
const endings = ['', '', 'e', 'en', 'er', 'ung', 'lich', 'keit', 'schaft', 'platz'];

/** The first words are short, the others are mostly compounds. */
function createVocabulary(random: Random): string[] {
  const words = new Set<string>();
  const createStem = () => random.pick(onsets) + random.pick(vowels) + random.pick(codas);
  while (words.size < vocabularySize) {
    const stems = words.size < 300 ? 1 : random.nextInteger(1, 3);
    const word = Array.from({ length: stems }, createStem).join('');
    const all = words.size < 300 ? word : random.pick(beginnings) + word + random.pick(endings);
    words.add(random.nextBoolean(0.5) ? all : (all[0] as string).toUpperCase() + all.slice(1));
  }
  return [...words];
}

/** @returns a function that picks words: the first one twice as often as the second one, and so on */
function createPicker(random: Random, words: readonly string[]): () => string {
  const sums = new Float64Array(words.length);
  let sum = 0;
  for (let rank = 0; rank < words.length; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return () => {
    const wanted = random.nextFraction() * sum;
    let [low, high] = [0, words.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] as number) <= wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] as string;
  };
}

function pickMarkers(random: Random, index: number, count: number): string[] {
  const part = random.nextFraction();
  return [
    ...(index === Math.floor(count / 2) ? [markers.once] : []),
    // At another place of each block.
    ...(index % perRare === (Math.floor(index / perRare) * 67) % perRare ? [markers.rare] : []),
    ...(part < 0.25 ? [markers.frequent] : part < 0.5 ? [markers.opposite] : []),
  ];
}

/**
 * Writes submissions as lines of JSON, in order of time: a text of the demo, words of the vocabulary, and markers.
 *
 * @param isForeign their only marker is `markers.foreign`
 */
export async function writeWordRecords(file: string, count: number, isForeign = false): Promise<void> {
  const templates = [...(demoMunicipalities[0]?.records() ?? [])].filter(({ kind }) => kind === 'submission');
  const random = createRandom(seed);
  const pickWord = createPicker(random, createVocabulary(random));
  function* generateLines() {
    for (let index = 0; index < count; index += 1) {
      const template = templates[index % templates.length] as SubmissionRecord;
      const at = new Date(firstMs + Math.floor((index * allMs) / count)).toISOString();
      const { lowest, highest } = addedWords;
      const added = Array.from({ length: random.nextInteger(lowest, highest) }, pickWord);
      const own = isForeign ? [markers.foreign] : pickMarkers(random, index, count);
      const record = {
        ...template,
        id: randomUUID(),
        referenceNumber: template.referenceNumber && `${at.slice(0, 4)}/${String(index).padStart(6, '0')}`,
        description: `${template.description} ${[...added, ...own].join(' ')}.`,
        createdAt: at,
        statusChangedAt: at,
      };
      yield `${JSON.stringify(record)}\n`;
    }
  }
  await pipeline(generateLines, createWriteStream(file));
}
