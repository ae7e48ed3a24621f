/**
 * Embeds the files that papers and meetings only refer to, against the standard. A stored file is a part of its paper or meeting, so that
 * the removal of the record removes it, too.
 */
import { filePropertyNames } from '../../formats/oparl/oparl-documents.ts';
import { getTypeName } from '../../formats/oparl/oparl-object.ts';
import { InputError } from '../../input-error.ts';
import { isObject } from '../../records/field-validation.ts';
import type { HttpClient } from '../http-client.ts';

/** Per run. An endpoint can have a hundred times as many, and the records are of use without them. */
const maxFiles = 1_000;

/** Then no further file is requested in the run. */
const maxFailures = 5;

/** @returns a function that returns an object of a list with its files; references that lead nowhere stay */
export function createFileEmbedder(client: HttpClient): (object: unknown) => Promise<unknown> {
  let remaining = maxFiles;
  let failures = 0;

  async function fetchFile(reference: unknown): Promise<unknown> {
    const url = typeof reference === 'string' ? URL.parse(reference) : null;
    if (url === null || !client.isAllowed(url) || remaining === 0 || failures === maxFailures)
      return reference;
    remaining -= 1;
    try {
      const { value } = await client.getJson(url);
      return isObject(value) && getTypeName(value) === 'File' ? value : reference;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      failures += 1;
      return reference;
    }
  }

  return async (object) => {
    if (!isObject(object) || !['Paper', 'Meeting'].includes(getTypeName(object))) return object;
    const embedded: Record<string, unknown> = {};
    for (const name of filePropertyNames) {
      const files: unknown[] = [];
      for (const file of [object[name] ?? []].flat()) files.push(await fetchFile(file));
      embedded[name] = files;
    }
    return { ...object, ...embedded };
  };
}
