/** The changes in docs/add-a-field-of-a-source.md, applied to a copy of the project, add the field on PostgreSQL. */
import { test } from 'node:test';
import { checkAddedSourceField } from '../../support/added-source-field.ts';
import { createPostgresFixtures } from '../../upgrades/fixture.ts';

test('a field of a source added as documented is entered with commands and files, stored and removed on PostgreSQL', (t) =>
  checkAddedSourceField(t, createPostgresFixtures(process.env.ROSTRA_TEST_CLUSTER as string)));
