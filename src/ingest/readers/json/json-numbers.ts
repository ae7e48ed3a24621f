/** Keeps the digits of integers beyond 2^53, such as ids, which a number rounds. */
import Assembler from 'stream-json/assembler.js';

const isRounded = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

/** Whether `keepDigits` can change a value of the JSON text. It makes parsing slower. */
export const mayLoseDigits = (text: string): boolean => /\d{16}/.test(text);

/** A reviver of `JSON.parse`: a rounded integer becomes the text of its digits. */
export function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? '';
  return isRounded(value) && isInteger(source) ? source : value;
}

/** Does the same as `keepDigits` with a stream of tokens. */
export class ExactAssembler extends Assembler {
  override numberValue(text: string): void {
    if (isInteger(text) && isRounded(Number(text))) this.stringValue(text);
    else super.numberValue(text);
  }
}
