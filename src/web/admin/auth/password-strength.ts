/**
 * Finds passwords that are easy to guess (NIST SP 800-63B, 3.1.1.2): common and breached ones, words and names, patterns,
 * and words of the account itself.
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Messages } from '../../messages/en.ts';

/** What makes a password weak: words of the account, a common password or word, or a pattern. */
type Weakness = keyof Messages['password']['weak'];

/** Of 0 to 4: more than 10^10 guesses. */
const minScore = 4;

/** Only the beginning is examined, because the duration grows faster than the length. */
const maxExaminedLength = 48;
/** The same limit for letters that are written as digits and signs. */
const maxSubstitutions = 10;

const minWordLength = 3;

let estimator: Promise<ZxcvbnFactory> | undefined;

const transliterations: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** Adds `buerger` after `bürger`, since many people write umlauts that way in passwords. */
function withTransliterations(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const transliterated = word.replace(/[äöüß]/g, (letter) => transliterations[letter] as string);
    return transliterated === word ? [word] : [word, transliterated];
  });
}

/** The word lists take 50 MB of memory, so a process loads them with the first new password. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const common = await import('@zxcvbn-ts/language-common');
  const german = await import('@zxcvbn-ts/language-de');
  const germanWords = Object.entries(german.dictionary).map(
    ([list, words]) => [list, withTransliterations(words)] as const,
  );
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...Object.fromEntries(germanWords) },
    graphs: common.adjacencyGraphs,
    maxLength: maxExaminedLength,
    l33tMaxSubstitutions: maxSubstitutions,
  });
}

/** @param names such as the account's email address; their words count as easy to guess */
export async function findWeakness(
  password: string,
  names: readonly string[],
): Promise<Weakness | undefined> {
  estimator ??= loadEstimator();
  const words = names
    .flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)])
    .map((word) => word.toLowerCase());
  const known = [...new Set(withTransliterations(words))].filter((word) => word.length >= minWordLength);
  const { score, sequence } = (await estimator).check(password.normalize('NFKC'), known);
  if (score >= minScore) return undefined;
  if (sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs')) return 'personal';
  return sequence.some(({ pattern }) => pattern === 'dictionary') ? 'common' : 'pattern';
}
