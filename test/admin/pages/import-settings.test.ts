/** The pages of an import on which a person decides: settings and dry run. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSignedInClient, decodeHtml } from '../../support/form-client.ts';
import { createRunBench } from '../../support/run-bench.ts';

const { fixture, upload, runQueue } = await createRunBench({ after });
const { store, a } = fixture;
const server = await fixture.startServer();

/** The visible text of a page. */
const readText = (body: string) =>
  decodeHtml(body.replace(/<option.*?<\/option>/gs, '').replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');

const listOpened = (body: string) =>
  [...body.matchAll(/<details[^>]* open><summary[^>]*>(.*?)<\/summary>/gs)].map(([, summary = '']) =>
    readText(summary).trim(),
  );

test('the settings of a table show its first rows without personal data, and what each optional field gets', async () => {
  const anna = await createSignedInClient(server, store, a);
  const composeRows = (status: string) =>
    [1, 2, 3, 4].map(
      (number) => `${number},Pothole ${number},${status},2026-03-0${number},erika${number}@mail.example`,
    );
  const openSettings = async (status: string) => {
    const run = await upload(['Number,Title,Status,Date,E-mail', ...composeRows(status)].join('\n'));
    await runQueue();
    return (await anna.get(`/admin/organizations/${a}/imports/${run.id}/steps`)).body;
  };

  const body = await openSettings('closed');
  const text = readText(body);
  assert.match(
    text,
    / Row Number → Identifier, Reference number Title → Text Status → Status Date → Submitted E-mail Personal data 1 1 Pothole 1 closed 2026-03-01 – 2 2 Pothole 2 closed 2026-03-02 – 3 3 Pothole 3 closed 2026-03-03 – All columns of the file /,
  );
  assert.doesNotMatch(body, /mail\.example/);
  assert.match(text, / Status : Status \( closed \) /);
  assert.match(text, / Priority : No column: normal .* Minutes : not published /);
  assert.match(text, / Status changed : No column: same as “Submitted” /);
  assert.deepEqual(listOpened(body), []);

  const unknown = await openSettings('almost');
  assert.deepEqual(listOpened(unknown), ['Status : Status ( almost )'], 'a word without a status is shown');
});
