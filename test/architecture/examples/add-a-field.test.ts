/** The changes in docs/add-a-field.md, applied to a copy of the project, add the field on SQLite. */
import { test } from 'node:test';
import { checkAddedField } from '../../support/added-field.ts';
import { sqliteFixtures } from '../../upgrades/fixture.ts';

test('a field added as documented is imported, redacted, published and mirrored', (t) =>
  checkAddedField(t, sqliteFixtures));
