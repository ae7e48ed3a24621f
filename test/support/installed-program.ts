/** What every kind of installation must do. */
import assert from 'node:assert/strict';
import { demoMunicipalities } from '../../src/program/demo/generate-demo-municipalities.ts';
import { createFormClient, password } from './form-client.ts';
import { sendRequest } from './http-client.ts';
import { waitUntil } from './wait-until.ts';

/** Asserts that a process of its own examines an uploaded file, with the words of the program. */
export async function assertExaminesUpload(address: string, invitation: string): Promise<void> {
  const client = createFormClient(address);
  assert.equal((await client.submitForm(invitation, { password })).status, 303);
  const path = `/admin/organizations/${demoMunicipalities[0]?.id}/imports/new`;
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await client.open(path)).body) ?? [];
  const form = new FormData();
  form.append('token', token);
  form.append('source', 'new');
  form.append(
    'file',
    new File(['Nummer,Beschreibung,Status,Datum\n1,Bank,erledigt,01.03.2026\n'], 'Export.csv'),
  );
  const { location = '' } = await client.send(path, form);
  assert.match(location, /\/imports\/[^/]+\/steps$/);
  await waitUntil('the form of the mapping', async () =>
    (await client.open(location)).body.includes('id="column.description"'),
  );
}

/** Asserts that a page and its files load, and that all files come from this server. */
export async function assertLoads(port: number, path: string): Promise<void> {
  const page = await sendRequest(port, path);
  assert.equal(page.status, 200);
  const parts = [...page.text.matchAll(/<(?:script src|link [^>]*href)="([^"]+)"/g)]
    .map(([, part]) => new URL(part as string, `http://x:${port}${path}`))
    .filter(({ protocol, host }) => protocol !== 'data:' && host !== `127.0.0.1:${port}`);
  assert.ok(parts.length >= 3);
  for (const { hostname, pathname } of parts) {
    assert.equal(hostname, 'x', 'a file of the page comes from another server');
    const { status, text: content } = await sendRequest(port, pathname);
    assert.equal(status, 200, pathname);
    assert.ok(content.length > 100, pathname);
  }
}
