import { type Reason, ReasonError } from '../reasons/reason.ts';

/** The input cannot be read, or not to its end. */
export class InputError extends ReasonError {}

/** Runs all steps. @throws InputError with the reasons of all steps that threw one */
export function runAll<Result>(steps: readonly (() => Result)[]): Result[] {
  const reasons = new Map<string, Reason>();
  const results = steps.flatMap((step) => {
    try {
      return [step()];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      reasons.set(error.message, error.reason);
      return [];
    }
  });
  const [first, ...others] = reasons.values();
  if (first !== undefined)
    throw new InputError(others.length === 0 ? first : { code: 'several', reasons: [first, ...others] });
  return results;
}
