/** The use of a key as a CSV file. */
import { listLatestDays } from '../../domain/key-usage.ts';
import type { AdminContext } from '../admin-context.ts';
import { byteOrderMark, composeCsvRows } from '../csv-rows.ts';
import type { TenantContext } from '../page-context.ts';
import type { Download } from '../response-types.ts';
import type { Route } from '../route.ts';
import { requireKey } from './key-details.ts';
import { readPeriod } from './key-usage.ts';

export function keyUsageCsvRoutes(admin: AdminContext): Route[] {
  async function download(context: TenantContext): Promise<Download> {
    const key = await requireKey(admin, context);
    const days = listLatestDays(context.nowMs, readPeriod(context));
    const usage = await admin.store.listKeyUsage(key.organizationId, key.id, days[0] as string);
    const rows = usage.map(({ day, operation, status, requests }) => [day, operation, status, requests]);
    const heading = ['day', 'operation', 'status', 'requests'];
    async function* content() {
      yield byteOrderMark + composeCsvRows([heading, ...rows], context.text.audit.delimiter);
    }
    return {
      fileName: `rostra-key-${key.prefix}-${days.at(-1)}.csv`,
      type: 'text/csv; charset=utf-8',
      content: content(),
    };
  }

  return [
    { path: '/admin/organizations/:organizationId/keys/:keyId/usage.csv', access: 'reader', get: download },
  ];
}
