/** A mirror of a municipality by means of /changes, and the published data to compare it with. */
import assert from 'node:assert/strict';
import { extensionNames } from '../../src/contract/resources/extension-fields.ts';
import type { Server } from './server.ts';

type Client = Pick<Server, 'get'>;

export interface Change {
  kind: 'submission' | 'session' | 'survey';
  id: string;
  deleted: boolean;
  data: Record<string, unknown> | null;
  /** Beside the data of submissions and sessions. */
  title?: string | null;
  sourceUrl?: string | null;
  answer?: string | null;
  sourceStatus?: string | null;
  place?: string | null;
  createdOn?: string;
  /** Of surveys. */
  endedOn?: string | null;
  year?: number | null;
  changedAt: string | null;
}

export interface ChangeMirror {
  /** Published documents by kind and id. */
  objects: Map<string, Record<string, unknown>>;
  cursor: string | undefined;
  /** Applies one page. @returns whether there are more */
  readPage(limit?: number): Promise<boolean>;
  /** Applies all pages. @returns the changes */
  poll(limit?: number): Promise<Change[]>;
}

/** @param from a mirror to go on with, by default an empty one */
export function createChangeMirror(client: Client, key: string, from?: ChangeMirror): ChangeMirror {
  const objects: ChangeMirror['objects'] = new Map(from?.objects);
  const applied: Change[] = [];
  const mirror: ChangeMirror = {
    objects,
    cursor: from?.cursor,
    readPage: async (limit = 100) => {
      const { status, text, json } = await client.get(composePath(mirror.cursor, limit), { key });
      assert.equal(status, 200, text);
      assert.ok(json.data.length <= limit);
      for (const change of json.data as Change[]) {
        assert.equal(change.data === null, change.deleted);
        const name = `${change.kind} ${change.id}`;
        if (change.data === null) objects.delete(name);
        else objects.set(name, change.data);
        applied.push(change);
      }
      mirror.cursor = json.pagination.next_cursor;
      return json.pagination.has_more;
    },
    poll: async (limit) => {
      applied.length = 0;
      while (await mirror.readPage(limit));
      return [...applied];
    },
  };
  return mirror;
}

const composePath = (cursor: string | undefined, limit: number) =>
  `/changes?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;

/**
 * Reads everything that the specified operations publish, in the form of `ChangeMirror.objects`.
 *
 * @param isExtended with the extension fields of searches
 */
export async function readPublishedObjects(
  client: Client,
  key: string,
  surveyIds: readonly string[],
  isExtended = false,
): Promise<ChangeMirror['objects']> {
  const objects: ChangeMirror['objects'] = new Map();
  const get = async (path: string) => (await client.get(path, { key })).json;
  const walk = async (path: string, add: (item: Record<string, unknown>) => Promise<void> | void) => {
    let cursor = '';
    do {
      const { data, pagination } = await get(`${path}?limit=100${cursor}`);
      for (const item of data) await add(item);
      cursor = pagination.next_cursor && `&cursor=${pagination.next_cursor}`;
    } while (cursor !== null);
  };
  const path = isExtended ? '/search' : '';
  await walk(`${path}/submissions`, ({ createdOn: _, ...item }) => {
    objects.set(`submission ${item.id}`, item);
  });
  await walk(`${path}/sessions`, async (item) => {
    const { id } = item;
    const { submissions, ...session } = (await get(`/sessions/${id}`)).data;
    const submissionIds = submissions.map((submission: { id: string }) => submission.id);
    const extension = Object.fromEntries(extensionNames.session.map((name) => [name, item[name]]));
    objects.set(`session ${id}`, { ...session, ...(isExtended && extension), submissionIds });
  });
  const ends = new Map<unknown, object>();
  if (isExtended)
    await walk('/surveys', ({ id, endedOn, year }) => {
      ends.set(id, { endedOn, year });
    });
  for (const id of surveyIds) {
    const { data } = await get(`/surveys/${id}/results`);
    if (data !== undefined) objects.set(`survey ${id}`, { ...data, ...ends.get(id) });
  }
  return objects;
}

/** Asserts that a mirror has exactly the published objects. */
export async function assertMirrorsPublishedObjects(
  { objects }: ChangeMirror,
  client: Client,
  key: string,
  surveyIds: readonly string[],
): Promise<void> {
  const sort = (map: ChangeMirror['objects']) =>
    [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
  assert.deepEqual(sort(objects), sort(await readPublishedObjects(client, key, surveyIds)));
}
