/** How a sentence is declared: in English with the type of its values, in other languages as a translation of that. */

/** What sentences need to name things. */
export interface Words {
  /** Whether a page or an email shows the sentence: its reader knows neither commands nor names of the API. */
  isPage: boolean;
  /** The name of a field, as its reader knows it. */
  field(name: string): string;
  format(name: string): string;
  /** The label of an option of a source. */
  option(name: string): string;
  /** A value of the API, such as a status, as its reader knows it. */
  value(name: string): string;
  /** With separators of thousands where the reader is used to them. */
  number(value: number): string;
  /** The sentence of a reason that is a value of another one. */
  reason(reason: AnyReason): string;
}

/** A reason that is stored, or is a value of another one. `Reason` is the type of those that code may create. */
export interface AnyReason {
  readonly code: string;
}

/** A text, or a function of the values of the reason. */
type Sentence = string | ((values: never, words: Words) => string);

export type ValuesOf<One> = One extends (values: infer Values, words: Words) => string ? Values : object;

/** A sentence of another language for each code, with the same values. */
export type Translation<Sentences extends Record<string, Sentence>> = {
  [Code in keyof Sentences]: Sentences[Code] extends string
    ? string
    : string | ((values: ValuesOf<Sentences[Code]>, words: Words) => string);
};
