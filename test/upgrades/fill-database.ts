/** Fills a database by the commands and the server of a release: small, with rows in every table that an upgrade must keep. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNdjson } from '../support/files.ts';
import { createFormClient } from '../support/form-client.ts';
import { sendRequest } from '../support/http-client.ts';
import { createPng } from '../support/images.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  recordsOfA,
  recordsOfB,
  surveys,
} from '../support/records.ts';

/** A version of Rostra on one database. */
export interface Release {
  /** In which the commands run, so that the database has no path of this machine. */
  folder: string;
  /** Runs a command. @returns its standard output; rejects if the exit code is none of `codes` */
  run(args: readonly string[], codes?: readonly number[]): Promise<string>;
  serve(): Promise<{ address: string; stop(): Promise<unknown> }>;
}

export interface Access {
  /** Secrets of keys, by what they are for. The last one is revoked. */
  keys: Record<'first' | 'second' | 'limited' | 'revoked', string>;
  account: { email: string; password: string };
}

const first = 'Musterstadt';
const second = 'Beispielburg';
const firstId = '00000000-0000-8000-8000-000000000001';
const secondId = '00000000-0000-8000-8000-000000000002';

const document = { title: 'Minutes', url: 'https://council.example/8812.pdf', mediaType: 'application/pdf' };
const recordsWithExtensions = [
  {
    kind: 'submission',
    ...createSubmission(950, {
      ...{ title: 'A bench', sourceUrl: 'https://council.example/950', documents: [document] },
      ...{ answer: 'It is ordered.', sourceStatus: 'Granted' },
      location: { type: 'Point', coordinates: [13.405, 52.52] },
    }),
  },
  { kind: 'session', ...createSession(950, { title: 'Council', place: 'Town hall', documents: [document] }) },
];

/** The tables that may be empty: their rows last for a short time, or are written on one engine, by the owner or with email. */
export const emptyTables = new Set([
  'attempt',
  'audit_export',
  'change_checkpoint',
  'endpoint_object',
  'mail_message',
  'notification_setting',
  'word_pending',
]);

export async function fillDatabase(release: Release): Promise<Access> {
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(release.folder, name), content);
    return name;
  };
  await addOrganizations(release, write('logo.png', createPng()));
  await importRecords(release, write);
  await decideOnRecords(release, write);
  const { run } = release;
  const issue = (organization: string, name: string, ...options: string[]) =>
    run(['key', 'issue', '--organization', organization, '--name', name, ...options]);
  const keys = {
    first: await issue(first, 'Portal', '--contact', 'IT office', '--purpose', 'Website'),
    second: await issue(second, 'Portal'),
    limited: await issue(first, 'Limited', '--limit', '2000000', '--expires', '2999-12-31'),
    revoked: await issue(first, 'Revoked'),
  };
  await run(['key', 'revoke', keys.revoked.slice(0, 16)]);
  const account = { email: 'operator@stadt.example', password: 'a long password of a test' };
  const invitation = await run(['admin', 'add', account.email]);
  await run(['admin', 'add', 'reader@stadt.example', '--organization', first, '--role', 'reader']);
  await useServer(release, keys.first, invitation, account.password);
  await run(['prune']);
  return { keys, account };
}

async function addOrganizations({ run }: Release, logo: string): Promise<void> {
  await run(['organization', 'add', first, '--id', firstId]);
  await run(['organization', 'add', second, '--id', secondId]);
  await run([
    ...['organization', 'edit', first, '--logo', logo, '--slug', 'musterstadt', '--open-data', 'on'],
    ...['--license-name', 'CC-BY-4.0', '--contact-email', 'daten@stadt.example', '--attribution', first],
    ...['--location-decimals', '3', '--accent-color', '#0a5c36', '--approval', 'on'],
  ]);
}

async function importRecords(
  { run }: Release,
  write: (name: string, content: string) => string,
): Promise<void> {
  const rejected = { kind: 'submission', id: 'x' };
  const importRecords = (organization: string, records: readonly unknown[]) =>
    run(
      [
        ...['import', 'rostra', write('records.ndjson', toNdjson(records))],
        ...['--organization', organization, '--already-anonymised', '--locations', 'on'],
      ],
      [0, 3],
    );
  await importRecords(first, [...recordsOfA, rejected]);
  await importRecords(second, recordsOfB);
  await importRecords(first, recordsWithExtensions);
  const survey = { kind: 'survey', ...surveys[0], surveyId: formatSurveyId(90) };
  await importRecords(first, [survey]);
  await importRecords(first, [{ ...survey, status: 'draft' }]);
  // The run before this one can be undone.
  const changed = { kind: 'submission', ...createSubmission(4, { status: 'completed', supportCount: 99 }) };
  await importRecords(first, [changed]);
  await run([
    ...['source', 'add', 'Council', '--organization', first, '--format', 'oparl'],
    ...['--url', 'https://council.example/oparl/system', '--every', '1d'],
  ]);
}

async function decideOnRecords(
  { run }: Release,
  write: (name: string, content: string) => string,
): Promise<void> {
  const decide = (...args: string[]) => run(['record', ...args, '--organization', first, '--reason', 'Test']);
  // It is on the agenda of a session.
  await decide('unpublish', 'submission', formatSubmissionId(10));
  await decide('correct', 'submission', formatSubmissionId(2), 'description=Corrected');
  const importEqual = (n: number) => {
    const record = { kind: 'submission', ...createSubmission(n, { referenceNumber: 'K-900' }) };
    const file = write('equal.ndjson', toNdjson([record]));
    return run(['import', 'rostra', file, '--organization', first, '--source', `Source ${n}`]);
  };
  await importEqual(900);
  await decide('unpublish', 'submission', formatSubmissionId(900));
  await importEqual(901);
}

/** Signs in, writes a note, asks for an approval, and sends requests, of which one is rejected. */
async function useServer(release: Release, key: string, invitation: string, password: string): Promise<void> {
  const server = await release.serve();
  const client = createFormClient(server.address);
  assert.equal((await client.submitForm(new URL(invitation).pathname, { password })).status, 303);
  const data = `/admin/organizations/${firstId}/data`;
  const note = { note: 'Answer by Friday.' };
  assert.equal((await client.submitForm(`${data}/sessions/${formatSessionId(1)}`, note)).status, 303);
  const correction = { description: 'Asked for', reason: 'Test' };
  const asked = await client.submitForm(`${data}/submissions/${formatSubmissionId(3)}/correct`, correction);
  assert.match(asked.location ?? '', /\/approvals\//);
  const port = Number(new URL(server.address).port);
  assert.equal((await sendRequest(port, '/api/v1/me', { key })).status, 200);
  assert.equal((await sendRequest(port, '/api/v1/submissions?limit=0', { key })).status, 400);
  await server.stop();
}
