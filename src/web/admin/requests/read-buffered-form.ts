/** Reads a form with a file (RFC 7578). The file stays in memory, so its size is limited. */
import type { FastifyRequest } from 'fastify';
import { PageError } from './response-types.ts';

/** The file in Base64, on the page that asks for the password before the form completes. */
export const carriedFileField = 'carriedFile';

/** Of all fields but the carried file. */
const maxFieldsLength = 5_000;

const toBase64Length = (bytes: number) => 4 * Math.ceil(bytes / 3);

/** A larger file is read up to the first excess byte, so that its form can report the size. */
export const createUploadLimits = (maxFileBytes: number) => ({
  fileSize: maxFileBytes + 1,
  files: 1,
  fields: 10,
  parts: 11,
  fieldNameSize: 100,
  fieldSize: toBase64Length(maxFileBytes + 1),
  headerPairs: 20,
});

/** Browsers report a lost connection instead of the response unless the server reads the whole body. */
const maxDiscardedBytes = 16_777_216;

interface UploadedForm {
  fields: URLSearchParams;
  /** undefined if the browser sent no file. */
  file: Buffer | undefined;
}

/** @throws PageError 400 for an invalid body, 413 for too many texts, and errors of Fastify for one that ends early or has too many parts */
export async function readUpload(request: FastifyRequest): Promise<UploadedForm> {
  const fields = new URLSearchParams();
  let file: Buffer | undefined;
  let fieldsLength = 0;
  const bodyBytes = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        const value = String(part.value);
        if (part.fieldname === carriedFileField && file === undefined) {
          file = Buffer.from(value, 'base64');
          continue;
        }
        fieldsLength += value.length;
        if (fieldsLength > maxFieldsLength) throw new PageError(413);
        fields.append(part.fieldname, value);
      } else {
        const content = Buffer.concat(await part.file.toArray());
        // Without a chosen file, browsers send an empty one.
        if (content.length > 0) file = content;
        if (part.file.truncated && bodyBytes > maxDiscardedBytes) break;
      }
    }
  } catch (error) {
    throw error instanceof PageError || 'statusCode' in (error as object) ? error : new PageError(400);
  }
  return { fields, file };
}
