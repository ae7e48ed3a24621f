/** The changes in docs/add-a-field.md, applied to a copy of the project, add the field on PostgreSQL. */
import { test } from 'node:test';
import { checkAddedField } from '../../support/added-field.ts';
import { createEmptyPostgresDatabase, toMigration } from '../../support/recipe.ts';

test('a field added as documented is imported, redacted, published and mirrored on PostgreSQL', async (t) => {
  const toUrl = await createEmptyPostgresDatabase(t);
  await checkAddedField(t, () => toMigration(toUrl));
});
