/** Reads the beginning of a content without losing it. */
import { InputError } from '../input-error.ts';

/** Enough to detect encoding and format. */
const headBytes = 65_536;

/** Reads the first bytes, and returns them with the whole content. @throws InputError if the content is empty */
export async function peek(name: string, content: AsyncGenerator<Buffer>, minBytes: number = headBytes) {
  const chunks: Buffer[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for (let length = 0; length < minBytes; ) {
      const { done, value } = await content.next();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } catch (error) {
    if (chunks.length === 0) throw error;
    // The records before the failure are imported.
    failure = { error };
  }
  const head = Buffer.concat(chunks);
  if (head.length === 0) throw new InputError({ code: 'file-empty', file: name });
  async function* replay(): AsyncGenerator<Buffer> {
    yield* chunks;
    if (failure !== undefined) throw failure.error;
    yield* content;
  }
  return { head, content: replay() };
}
