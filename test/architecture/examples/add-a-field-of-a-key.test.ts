/** The changes in docs/add-a-field-of-a-key.md, applied to a copy of the project, add the field on SQLite. */
import { test } from 'node:test';
import { checkAddedKeyField } from '../../support/added-key-field.ts';
import { sqliteFixtures } from '../../upgrades/fixture.ts';

test('a field of a key added as documented is entered with commands and files, stored, rotated and removed', (t) =>
  checkAddedKeyField(t, sqliteFixtures));
