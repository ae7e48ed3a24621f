/** The changes in docs/add-a-field.md, applied to a copy of the project, add the field on SQLite. */
import { join } from 'node:path';
import { test } from 'node:test';
import { checkAddedField } from '../../support/added-field.ts';

test('a field added as documented is imported, redacted, published and mirrored', (t) =>
  checkAddedField(t, (folder) => ['--database', join(folder, 'rostra.db')]));
