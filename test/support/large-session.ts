/** A session whose answer is too large to be kept in memory as a whole, and clients that read it in their own time. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { ImportRecord } from '../../src/domain/records.ts';
import { rawRequest } from './raw-socket.ts';
import { session, sessionId, submission, submissionId } from './records.ts';

export const largeSession = `/api/v1/sessions/${sessionId(900)}`;

/** Numbers of the submissions, in the order of the agenda. */
const agenda = Array.from({ length: 300 }, (_, n) => 9_300 - n);

/** A lower bound for the length of the answer. */
export const largeSessionBytes = agenda.length * 99_000;

/** @param word every text begins with it */
export const createTexts = (word: string): ImportRecord[] =>
  agenda.map((n) => ({
    kind: 'submission',
    ...submission(n, { description: `${word} ${n} "ä" ${'x'.repeat(99_000)}` }),
  }));

/** Needs the submissions of `textsOf`. */
export const largeAgenda: ImportRecord = {
  kind: 'session',
  ...session(900, { submissions: agenda.map(submissionId) }),
};

interface Session {
  submissionCount: number;
  submissions: { id: string; description: string }[];
}

export function checkLargeSession({ submissionCount, submissions }: Session, word: string): void {
  assert.equal(submissionCount, agenda.length);
  assert.deepEqual(
    submissions.map(({ id }) => id),
    agenda.map(submissionId),
  );
  for (const { description } of submissions) assert.ok(description.startsWith(`${word} 9`));
}

export interface Reading {
  socket: Socket;
  first: Buffer;
}

/** Asks for the session and reads what comes first, and no more. */
export async function beginReading(port: number, key: string): Promise<Reading> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(rawRequest(largeSession, [`Authorization: Bearer ${key}`, 'Connection: close']));
  await new Promise((resolve) => socket.once('readable', resolve));
  return { socket, first: socket.read() };
}

/** All that comes until the connection ends, header included. */
export async function readToEnd({ socket, first }: Reading): Promise<string> {
  const chunks = [first];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The part of a body that arrived before the connection broke off. */
export async function readUntilBroken(reading: Reading): Promise<void> {
  const text = await readToEnd(reading).catch(() => '');
  assert.ok(text.length < largeSessionBytes);
}
