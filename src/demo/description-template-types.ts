/** The types of the texts that descriptions are made from. Each language has a folder with the texts. */

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
  /** Values of the placeholders, by kind. */
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
  /** Complete descriptions with other scripts, quotations, symbols or odd spacing; each is used once. */
  unusualDescriptions: readonly string[];
  positionPaperIntroductions: readonly string[];
}
