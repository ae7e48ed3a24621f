/** The changes in docs/add-a-field-of-a-source.md, applied to a copy of the project, add the field on SQLite. */
import { test } from 'node:test';
import { checkAddedSourceField } from '../../support/added-source-field.ts';
import { sqliteFixtures } from '../../upgrades/fixture.ts';

test('a field of a source added as documented is entered with commands and files, stored and removed', (t) =>
  checkAddedSourceField(t, sqliteFixtures));
