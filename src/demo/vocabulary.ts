/** What a municipality's texts are made of. The words themselves are in the language's own folder. */

/**
 * One thing people ask for: a headline, what is wrong, what should be done.
 * `{kind}` stands for a place (or time) of that kind, the same one in all three.
 */
export type Concern = readonly [headline: string, problem: string, request: string];

export interface Topic {
  name: string;
  concerns: readonly Concern[];
  /** Sentences that go with every concern of the topic. */
  reasons: readonly string[];
}

export interface Committee {
  name: string;
  /** How its minutes are called in an address. */
  slug: string;
  /** The topics it deliberates on: 'all' for the council itself, none for a committee without submissions. */
  topics: 'all' | readonly string[];
  /** A session every so many weeks. */
  weeks: number;
  /** 1 is Monday. */
  weekday: number;
  /** Local time it begins. */
  begins: string;
}

export interface SurveyDraft {
  title: string;
  status: 'draft' | 'active' | 'closed' | 'archived';
  totalResponses: number;
  questions: readonly { text: string; type: QuestionType; options: readonly string[] }[];
}

export type QuestionType = 'single_choice' | 'multiple_choice' | 'scale' | 'matrix' | 'ranking' | 'text';

export interface Vocabulary {
  topics: readonly Topic[];
  /** What a placeholder can stand for, by its kind. */
  places: Readonly<Record<string, readonly string[]>>;
  /** Words that merge before a place, such as "in dem" to "im". */
  contractions: Readonly<Record<string, string>>;
  salutations: readonly string[];
  /** How people introduce themselves, without giving a name. */
  openings: readonly string[];
  /** Sentences that go with every concern of every topic. */
  observations: readonly string[];
  /** Before a second concern. */
  additions: readonly string[];
  /** Before a list of headlines. */
  lists: readonly string[];
  closings: readonly string[];
  greetings: readonly string[];
  /** Whole descriptions of a word or two. */
  terse: readonly string[];
  /** Whole descriptions, each used once: other scripts, quotations, symbols, odd spacing. */
  singular: readonly string[];
  /** First paragraphs of position papers that run to many pages. */
  papers: readonly string[];
}
