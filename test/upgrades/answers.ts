/** What the API answers: recorded once, and compared with a later version. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { operations } from '../../src/contract/operations.ts';
import { readApiPages } from '../golden-master/api-pages.ts';
import { createFormClient } from '../support/form-client.ts';
import { sendRequest } from '../support/http-client.ts';
import type { Access } from './fill-database.ts';

interface Answer {
  key: keyof Access['keys'];
  /** Below `/api/v1`, with parameters. */
  path: string;
  status: number;
  /** Of an error only its code, because the sentence may change. */
  body: string;
  /** Requests in a window of the key. */
  limit: string | undefined;
}

export const historyPath = '/changes';

const lists = [
  '/submissions?',
  '/submissions?status=submitted&',
  '/sessions?',
  '/support?',
  '/surveys?',
  `${historyPath}?`,
  `${historyPath}?kind=submission&`,
  '/search/submissions?',
  '/search/submissions?status=submitted&status=in_review&',
  '/search/sessions?direction=asc&',
];

/** They name the version of the program. */
const versioned = new Set(['/health', '/openapi.json']);

async function readAnswer(
  port: number,
  keys: Access['keys'],
  { key, path }: Pick<Answer, 'key' | 'path'>,
): Promise<Answer> {
  let response = await sendRequest(port, `/api/v1${path}`, { key: keys[key] });
  // On a busy machine, the database may need longer than a server waits.
  while (response.status === 503) {
    await setTimeout(100);
    response = await sendRequest(port, `/api/v1${path}`, { key: keys[key] });
  }
  const { status, text, headers } = response;
  const body = status < 400 ? text : JSON.parse(text).code;
  return { key, path, status, body, limit: headers['x-ratelimit-limit'] };
}

/** Requests every operation with each key, and lists page by page, so that their cursors are recorded, too. */
export async function recordAnswers(port: number, { keys }: Access): Promise<Answer[]> {
  const answers: Answer[] = [];
  const record = async (key: Answer['key'], path: string) => {
    const answer = await readAnswer(port, keys, { key, path });
    answers.push(answer);
    return answer;
  };
  for (const key of ['first', 'second'] as const) {
    for await (const page of readApiPages(port, keys[key])) {
      const [, path = ''] = /^GET (.*)$/m.exec(page) ?? [];
      if (!versioned.has(path)) await record(key, path);
    }
  }
  for (const list of lists)
    for (let cursor = ''; ; ) {
      const { body } = await record('first', `${list}limit=3${cursor && `&cursor=${cursor}`}`);
      const { next_cursor, has_more } = JSON.parse(body).pagination;
      if (!has_more) break;
      cursor = next_cursor;
    }
  for (const key of ['limited', 'revoked'] as const) await record(key, '/me');
  return answers;
}

/**
 * Asserts that a server gives the same answers, byte by byte. Responses of operations beyond the specification may have additional
 * fields, and values of further filters.
 *
 * @returns their number
 */
export async function assertSameAnswers(
  port: number,
  { keys }: Access,
  recorded: readonly Answer[],
): Promise<number> {
  for (const answer of recorded) {
    const found = await readAnswer(port, keys, answer);
    const hasAdded = found.body !== answer.body && isExtensible(found);
    const [body, known] = hasAdded
      ? [leaveOutAdded(found, answer), JSON.stringify(JSON.parse(answer.body))]
      : [found.body, answer.body];
    assert.deepEqual({ ...found, body }, { ...answer, body: known }, `${answer.key}: ${answer.path}`);
  }
  return recorded.length;
}

const extensiblePaths = Object.values(operations).flatMap(({ tag, path }) =>
  tag === 'Extensions' ? [path as string] : [],
);

const isExtensible = ({ path, status }: Answer) =>
  status < 400 && extensiblePaths.includes(path.split('?')[0] as string);

/**
 * @returns the JSON text without spaces, without members that the objects of the recorded one lack, and without values of filters that
 *   it lacks
 */
function leaveOutAdded({ path, body }: Answer, recorded: Answer): string {
  const [found, known] = [JSON.parse(body), JSON.parse(recorded.body)];
  if (path.startsWith(operations.listFacets.path)) {
    const kinds = new Set(known.data.map(({ kind }: { kind: string }) => kind));
    found.data = found.data.filter(({ kind }: { kind: string }) => kinds.has(kind));
  }
  return JSON.stringify(pickMembers(found, known));
}

function pickMembers(value: unknown, known: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(known))
    return value.map((entry, index) => pickMembers(entry, known[index]));
  if (!isObject(value) || !isObject(known)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(known, name) ? [[name, pickMembers(member, known[name])]] : [],
    ),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Asserts that the password of the account is still valid, in a server process: that of a test has cheap hashes. */
export async function assertSignsIn(address: string, { account }: Access): Promise<void> {
  const { email, password } = account;
  const { status, location } = await createFormClient(address).submitForm('/admin/sign-in', {
    email,
    password,
  });
  assert.deepEqual([status, location?.startsWith('/admin/sign-in')], [303, false], location ?? '');
}
