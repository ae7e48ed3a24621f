/** Reads a form with a large file (RFC 7578): the fields first, then the page receives the file as a stream. */
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { allowSlowBody } from '../../../platform/http/connections.ts';
import type { StreamedFile } from './page-context.ts';
import { PageError } from './response-types.ts';

/** Of all texts together. The form itself reports texts that are too long, so that they are not lost. */
const maxFieldsLength = 8_388_608;

export const streamedFormLimits = {
  files: 5,
  // A survey has at most 1,000 questions, each with a text.
  fields: 1_100,
  parts: 1_105,
  fieldNameSize: 200,
  fieldSize: maxFieldsLength,
  headerPairs: 20,
  // `UploadStorage` limits the size.
  fileSize: Number.POSITIVE_INFINITY,
};

interface StreamedForm {
  fields: URLSearchParams;
  /** undefined if the browser sent no file. */
  upload: StreamedFile | undefined;
  /** Reads the rest of the body. Browsers report a lost connection instead of the response otherwise. */
  finish(): void;
}

/** An upload that takes longer is aborted. */
const uploadTimeoutMs = 3_600_000;

/** Reading an excess body takes time and bandwidth, but no disk space. */
const maxDiscardedBytes = 2_147_483_648;

/** The file `NAME.file` has the text of the field `NAME`. */
const textFile = /^(?<field>.+)\.file$/;

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
      const field = textFile.exec(part.fieldname)?.groups?.field;
      if (field !== undefined) {
        const text = await readText(file, maxFieldsLength - fieldsLength);
        fieldsLength += text?.length ?? 0;
        if (text === undefined) fields.set(`${field}.unreadable`, fileName);
        else fields.set(field, text);
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

/** @returns undefined for a file that is not text in UTF-8 @throws PageError 413 */
async function readText(file: Readable, maxLength: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxLength) chunks.push(chunk);
  }
  if (bytes > maxLength) throw new PageError(413);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
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
