/** Operators add municipalities. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { createSignedInClient, decodeHtml, getFieldValue } from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const olga = await createSignedInClient(server, store);
const path = '/admin/organizations/new';

suite('an operator', () => {
  test('adds a municipality, and is led to its first steps', async () => {
    const list = await olga.get('/admin/organizations');
    assert.ok(list.body.includes(`href="${path}"`));
    const form = await olga.get(path);
    assert.equal(getFieldValue(form.body, 'timeZone'), 'Europe/Berlin');
    const fields = { name: ' Neu-Ulm ', timeZone: 'Europe/Vienna', language: '', country: 'AT' };
    const added = await olga.submitForm(path, fields);
    assert.equal(added.status, 303, added.body);
    const { body } = await olga.open(added.location ?? '');
    assert.match(decodeHtml(body), /data-focus>.*Neu-Ulm has been added/);
    assert.match(body, /First steps.*accounts\/new">Invite an administrator/s);
    const found = await store.findOrganization('Neu-Ulm');
    assert.deepEqual([found?.timeZone, found?.language, found?.country], ['Europe/Vienna', null, 'AT']);
    const [event] = await store.listAuditEvents(found?.id, undefined, 1);
    assert.deepEqual(
      [event?.action, event?.actor, event?.subject],
      ['organization.added', olga.email, 'Neu-Ulm'],
    );
    await createSignedInClient(server, store, found?.id);
    const { body: later } = await olga.get(`/admin/organizations/${found?.id}`);
    assert.match(later, /Invite an administrator of the municipality<\/span>/);
  });

  test('sees what is wrong, and keeps the entered values', async () => {
    const fields = { name: '', timeZone: 'Mars/Olympus', language: 'tlh', country: 'AT' };
    const { status, body } = await olga.submitForm(path, fields);
    assert.equal(status, 422);
    for (const name of ['name', 'timeZone', 'language'])
      assert.match(body, new RegExp(` id="${name}"[^>]* aria-invalid="true"`));
    assert.deepEqual(
      [getFieldValue(body, 'country'), getFieldValue(body, 'timeZone')],
      ['AT', 'Mars/Olympus'],
    );
    const taken = await olga.submitForm(path, { name: 'Musterstadt', timeZone: 'UTC' });
    assert.equal(taken.status, 422);
    assert.match(taken.body, /value="Musterstadt"[\s\S]*Another municipality has this name/);
  });

  test('who submits a form twice adds one municipality', async () => {
    const fields = {
      name: 'Doppelstadt',
      timeZone: 'UTC',
      form: '6f0b9f3a-5f0e-4c8b-9d5e-2b1d6f3c7a10',
    };
    const first = await olga.submitForm(path, fields);
    const second = await olga.submitForm(path, fields);
    assert.deepEqual([first.status, second.status, second.location], [303, 303, first.location]);
  });
});
