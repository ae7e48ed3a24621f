/** The input cannot be read, or not to its end. The message is a sentence that names the input. */
export class InputError extends Error {}

/** Runs all steps. @throws InputError with the sentences of all steps that threw one */
export function runAll<Result>(steps: readonly (() => Result)[]): Result[] {
  const sentences = new Set<string>();
  const results = steps.flatMap((step) => {
    try {
      return [step()];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      sentences.add(error.message);
      return [];
    }
  });
  if (sentences.size > 0) throw new InputError([...sentences].join(' '));
  return results;
}
