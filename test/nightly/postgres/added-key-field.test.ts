/** The changes in docs/add-a-field-of-a-key.md, applied to a copy of the project, add the field on PostgreSQL. */
import { test } from 'node:test';
import { checkAddedKeyField } from '../../support/added-key-field.ts';
import { createPostgresFixtures } from '../../upgrades/fixture.ts';

test('a field of a key added as documented is entered with commands and files, stored, rotated and removed on PostgreSQL', (t) =>
  checkAddedKeyField(t, createPostgresFixtures(process.env.ROSTRA_TEST_CLUSTER as string)));
