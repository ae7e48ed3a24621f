/** Reads a form with a large file (RFC 7578): the fields first, then the page receives the file as a stream. */
import type { FastifyRequest } from 'fastify';
import { allowSlowBody } from '../http/connections.ts';
import type { ArrivingUpload } from './page-context.ts';
import { PageError } from './response-types.ts';

/** Fields of the form, without the file. A mapping is a large one. */
export const streamedFormLimits = {
  files: 1,
  fields: 200,
  parts: 201,
  fieldNameSize: 200,
  fieldSize: 262_144,
  headerPairs: 20,
  // `UploadStorage` limits the size.
  fileSize: Number.POSITIVE_INFINITY,
};

interface StreamedForm {
  fields: URLSearchParams;
  /** undefined if the browser sent no file. */
  upload: ArrivingUpload | undefined;
  /** Reads the rest of the body. Browsers report a lost connection instead of the response otherwise. */
  finish(): void;
}

/** An upload that takes longer is aborted. */
const uploadTimeoutMs = 3_600_000;

/** Reading an excess body takes time and bandwidth, but no disk space. */
const maxDiscardedBytes = 2_147_483_648;

/** Of all fields together. */
const maxFieldsLength = 1_048_576;

/** Whether the form is as small as one without a file, so that it may be read before the user has signed in. */
export function isSmallForm({ headers }: FastifyRequest, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? Number.NaN) <= maxBytes;
}

/**
 * @param isSignedIn whether the form may be large, and take an hour
 * @throws PageError 400 for an invalid body, 413 for too many texts, and errors of Fastify for one that ends early or has
 *   too many parts
 */
export async function readStreamedForm(request: FastifyRequest, isSignedIn: boolean): Promise<StreamedForm> {
  if (isSignedIn) allowSlowUpload(request);
  const fields = new URLSearchParams();
  let fieldsLength = 0;
  const parts = request.parts();
  const bodyBytes = Number(request.headers['content-length'] ?? Number.NaN);
  try {
    for (;;) {
      const { value: part, done } = await parts.next();
      if (done) return { fields, upload: undefined, finish: () => undefined };
      if (part.type === 'field') {
        const value = String(part.value);
        fieldsLength += part.fieldname.length + value.length;
        if (fieldsLength > maxFieldsLength) throw new PageError(413);
        fields.append(part.fieldname, value);
        continue;
      }
      const { filename: fileName, file } = part;
      // Without a chosen file, browsers send one without a name.
      if (!fileName) {
        file.resume();
        continue;
      }
      const maxBytes = Number.isNaN(bodyBytes) ? undefined : bodyBytes;
      return {
        fields,
        upload: { fileName, content: file, maxBytes },
        finish: () => {
          if (maxBytes !== undefined && maxBytes <= maxDiscardedBytes) file.resume();
        },
      };
    }
  } catch (error) {
    throw error instanceof PageError || 'statusCode' in (error as object) ? error : new PageError(400);
  }
}

function allowSlowUpload({ raw }: FastifyRequest): void {
  const { socket } = raw;
  const endSlowBody = allowSlowBody(socket);
  const timeout = setTimeout(() => socket.destroy(), uploadTimeoutMs).unref();
  raw.once('close', () => {
    clearTimeout(timeout);
    endSlowBody();
  });
}
