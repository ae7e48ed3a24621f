/** Keeps slugs, and open data that is off, when a backup replaces a database: otherwise it would publish again what was switched off after it. */
import Database from 'better-sqlite3';
import type { OpenDataAddress } from '../../../domain/organizations/open-data.ts';
import { closeAtEnd } from '../close-at-end.ts';

/** @param previous the replaced database. Nothing is kept if it is damaged, or has an older schema. */
export function keepOpenData(previous: Database.Database, partial: string): void {
  let slugs: OpenDataAddress[];
  let off: string[];
  try {
    slugs = previous
      .prepare<[], OpenDataAddress>('SELECT slug, organization_id AS organizationId FROM organization_slug')
      .all();
    off = previous.prepare<[], string>("SELECT id FROM organization WHERE open_data = 'off'").pluck().all();
  } catch {
    return;
  }
  using restored = closeAtEnd(new Database(partial));
  const addSlug = restored.prepare(
    'INSERT INTO organization_slug (slug, organization_id) VALUES ($slug, $organizationId) ON CONFLICT DO NOTHING',
  );
  const switchOff = restored.prepare("UPDATE organization SET open_data = 'off' WHERE id = ?");
  restored.transaction(() => {
    for (const address of slugs) addSlug.run(address);
    for (const id of off) switchOff.run(id);
  })();
}
