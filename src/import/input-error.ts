/** The input cannot be read, or not to its end. The message is a sentence that names the input. */
export class InputError extends Error {}
