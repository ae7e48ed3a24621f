/** A session whose response is streamed, and clients that read it slowly. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { composeRawRequest } from './raw-socket.ts';
import { createSession, createSubmission, formatSessionId, formatSubmissionId } from './records.ts';

export const largeSessionPath = `/api/v1/sessions/${formatSessionId(900)}`;

/** Numbers of the submissions, in the order of the agenda. */
const agenda = Array.from({ length: 150 }, (_, n) => 9_300 - n);

/** Minimum length of the response. */
export const largeSessionBytes = agenda.length * 99_000;

/** @param word start of every text */
export const createLargeSubmissions = (word: string): ImportRecord[] =>
  agenda.map((n) => ({
    kind: 'submission',
    ...createSubmission(n, { description: `${word} ${n} "ä" ${'x'.repeat(99_000)}` }),
  }));

/** Requires the submissions of `createLargeSubmissions`. */
export const largeSessionRecord: ImportRecord = {
  kind: 'session',
  ...createSession(900, { submissions: agenda.map(formatSubmissionId) }),
};

interface Session {
  submissionCount: number;
  submissions: { id: string; description: string }[];
}

export function checkLargeSession({ submissionCount, submissions }: Session, word: string): void {
  assert.equal(submissionCount, agenda.length);
  assert.deepEqual(
    submissions.map(({ id }) => id),
    agenda.map(formatSubmissionId),
  );
  for (const { description } of submissions) assert.ok(description.startsWith(`${word} 9`));
}

export interface SlowRead {
  socket: Socket;
  firstChunk: Buffer;
}

/** Requests the session and reads the first bytes only. */
export async function startSlowRead(port: number, key: string): Promise<SlowRead> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(composeRawRequest(largeSessionPath, [`Authorization: Bearer ${key}`, 'Connection: close']));
  await new Promise((resolve) => socket.once('readable', resolve));
  return { socket, firstChunk: socket.read() };
}

/** @returns the whole response, including its headers */
export async function readToEnd({ socket, firstChunk }: SlowRead): Promise<string> {
  const chunks = [firstChunk];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Reads until the connection breaks. Fails if the response is complete. */
export async function readUntilBroken(reading: SlowRead): Promise<void> {
  const text = await readToEnd(reading).catch(() => '');
  assert.ok(text.length < largeSessionBytes);
}
