/** The types of the texts that descriptions are made from: `texts.json` in the folder of each language. */

/**
 * A request to the municipality. `{kind}` is a placeholder for a place or time of that kind, with the same value in all
 * three texts.
 */
export type Concern = readonly [headline: string, problem: string, request: string];

export interface Topic {
  name: string;
  concerns: readonly Concern[];
  /** Sentences that fit every concern of the topic. */
  reasons: readonly string[];
}

export interface TextTemplates {
  topics: readonly Topic[];
  /**
   * Values of the placeholders, by kind. German ones are in the dative, with their article. Districts have no article, so they
   * fit every case.
   */
  places: Readonly<Record<string, readonly string[]>>;
  /** Preposition and article that merge before a place, such as "in dem" to "im". */
  contractions: Readonly<Record<string, string>>;
  salutations: readonly string[];
  /** Self-introductions without a name. */
  introductions: readonly string[];
  /** Sentences that fit every concern of every topic. */
  observations: readonly string[];
  secondConcernIntroductions: readonly string[];
  listIntroductions: readonly string[];
  closingSentences: readonly string[];
  signOffs: readonly string[];
  /** Complete descriptions of one or two words. */
  shortDescriptions: readonly string[];
  /**
   * Complete descriptions with other scripts, quotations, symbols or odd spacing; each is used once. Combining marks of Latin
   * letters are escaped, because an editor may silently compose them.
   */
  unusualDescriptions: readonly string[];
  positionPaperIntroductions: readonly string[];
}
