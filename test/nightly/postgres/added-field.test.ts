/** The changes in docs/add-a-field.md, applied to a copy of the project, add the field on PostgreSQL. */
import { test } from 'node:test';
import { checkAddedField } from '../../support/added-field.ts';
import { createPostgresFixtures } from '../../upgrades/fixture.ts';

test('a field added as documented is imported, redacted, published and mirrored on PostgreSQL', (t) =>
  checkAddedField(t, createPostgresFixtures(process.env.ROSTRA_TEST_CLUSTER as string)));
