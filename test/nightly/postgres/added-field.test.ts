/** The changes in docs/add-a-field.md, applied to a copy of the project, add the field on PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Client } from 'pg';
import { checkAddedField } from '../../support/added-field.ts';
import { ownerRole, servingRole } from '../../support/postgres-database.ts';

test('a field added as documented is imported, redacted, published and mirrored on PostgreSQL', async (t) => {
  const cluster = process.env.ROSTRA_TEST_CLUSTER as string;
  const name = `field_${randomBytes(6).toString('hex')}`;
  const client = new Client(`${cluster}/postgres`);
  await client.connect();
  await client.query(`CREATE DATABASE ${name} OWNER ${ownerRole}`);
  t.after(async () => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  });
  const toUrl = (role: string) => Object.assign(new URL(`${cluster}/${name}`), { username: role }).href;
  await checkAddedField(t, () => [
    ...['--database', toUrl(servingRole)],
    ...['--database-owner', toUrl(ownerRole)],
  ]);
});
