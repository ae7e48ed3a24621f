/** The database cannot do its work at the moment. `cause` is the error of the engine. */
export class StoreUnavailableError extends Error {}

/** The state of the database does not allow the request. The message is a sentence for the user. */
export class StoreConflictError extends Error {}
