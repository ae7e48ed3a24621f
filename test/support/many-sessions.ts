/** A municipality with so many sessions that one statement over all of them takes long. */
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import type { Fixture } from './fixture.ts';
import { formatUuid } from './records.ts';

/** A source with a licence of its own has all of them. Every second one is of one committee and one day. */
export async function addManySessions(
  { store, sql }: Fixture,
  count: number,
): Promise<{ id: string; slug: string }> {
  const id = formatUuid('e', 200);
  const slug = 'many-sessions';
  await store.addOrganization('Many sessions', id, { timeZone: 'Europe/Berlin' });
  await store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });
  const options = { licenseName: 'CC0-1.0' };
  await store.addSource(id, { ...emptySourceDefinition, name: 'Council', format: 'rostra', options });
  // An import of them would take longer than the rest of the test.
  await sql(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < $2)
    INSERT INTO session (organization_id, id, date, committee_name, created_at, source_id)
    SELECT $1, '00000000-0000-4000-8000-' || (100000000000 + n),
      CASE n % 2 WHEN 0 THEN '2026-03-17' ELSE (1990 + n % 30) || '-03-' || (10 + n % 20) END,
      CASE n % 2 WHEN 0 THEN 'Council' ELSE 'Committee ' || n % 100 END,
      '2026-01-01T00:00:00.000Z', (SELECT id FROM import_source WHERE organization_id = $1)
    FROM number`,
    [id, count],
  );
  return { id, slug };
}
