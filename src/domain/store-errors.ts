import { type Reason, ReasonError } from './reasons/reason.ts';

/** The database cannot do its work at the moment. `cause` is the error of the engine. */
export class StoreUnavailableError extends Error {}

/** The index of words does not have all records of the municipality yet. */
export class WordsNotReadyError extends StoreUnavailableError {
  constructor() {
    super('The index of words is not complete.');
  }
}

/** The installation has no index of words. */
export class WordSearchOffError extends Error {}

/** A file of the database is damaged. It stays so until a person restores a backup, so nobody should try again. */
export class StoreDamagedError extends StoreUnavailableError {
  /** English sentence. */
  readonly problem: string;
  /** English sentence: what to do. */
  readonly remedy: string;

  constructor(problem: string, remedy: string, options?: ErrorOptions) {
    super(`${problem} ${remedy}`, options);
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** The state of the database does not allow the request. The message is a sentence for the user. */
export class StoreConflictError extends ReasonError {
  /** @param reason a text in administration, whose pages have their own words */
  constructor(reason: Reason | string, options?: ErrorOptions) {
    super(typeof reason === 'string' ? { code: 'english', message: reason } : reason, options);
  }
}
