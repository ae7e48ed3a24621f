/** Reads a form with a file (RFC 7578). The file stays in memory, so its size is limited. */
import type { FastifyRequest } from 'fastify';
import { PageError } from './response-types.ts';

/** A larger file is read up to the first excess byte, so that its form can report the size. */
export const createUploadLimits = (maxFileBytes: number) => ({
  fileSize: maxFileBytes + 1,
  files: 1,
  fields: 5,
  parts: 6,
  fieldNameSize: 100,
  fieldSize: 1_000,
  headerPairs: 20,
});

/** Browsers report a lost connection instead of the response unless the server reads the whole body. */
const maxDiscardedBytes = 16_777_216;

interface UploadedForm {
  fields: URLSearchParams;
  /** undefined if the browser sent no file. */
  file: Buffer | undefined;
}

/** @throws PageError 400 for an invalid body, and errors of Fastify for one that ends early or has too many parts */
export async function readUpload(request: FastifyRequest): Promise<UploadedForm> {
  const fields = new URLSearchParams();
  let file: Buffer | undefined;
  const bodyBytes = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields.append(part.fieldname, String(part.value));
      else {
        const content = Buffer.concat(await part.file.toArray());
        // Without a chosen file, browsers send an empty one.
        if (content.length > 0) file = content;
        if (part.file.truncated && bodyBytes > maxDiscardedBytes) break;
      }
    }
  } catch (error) {
    throw 'statusCode' in (error as object) ? error : new PageError(400);
  }
  return { fields, file };
}
