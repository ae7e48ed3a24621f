/** The tables that a copy compares and writes, and the owners of their rows. */
import type { Engine, SqlValue } from '../engine.ts';
import {
  accountRoleTable,
  accountTable,
  apiKeyTable,
  auditEventTable,
  digestKeyTable,
  endpointObjectTable,
  formerSurveyTable,
  globalTenantId,
  importRejectionTable,
  importRunTable,
  importSourceTable,
  keyUsageTable,
  notificationSettingTable,
  organizationColumns,
  organizationLogoTable,
  organizationSlugTable,
  publishedTables,
  rateWindowTable,
  recordDecisionTable,
  recordDigestTable,
  recordMatchTable,
  recordNoteTable,
  rejectedRequestTable,
  type Table,
  withheldAgendaEntryTable,
} from '../table-descriptors.ts';
import type { History } from './keep-change-history.ts';

/**
 * Login sessions, one-time links, queued emails and unfinished imports are not copied: people sign in again.
 */
export const copiedTables: readonly Table[] = [
  organizationSlugTable,
  organizationLogoTable,
  ...publishedTables,
  apiKeyTable,
  rateWindowTable,
  keyUsageTable,
  rejectedRequestTable,
  importSourceTable,
  endpointObjectTable,
  importRunTable,
  importRejectionTable,
  recordDecisionTable,
  digestKeyTable,
  recordDigestTable,
  recordMatchTable,
  recordNoteTable,
  formerSurveyTable,
  withheldAgendaEntryTable,
  accountTable,
  accountRoleTable,
  notificationSettingTable,
  auditEventTable,
];

/** Owner of rows without a municipality: accounts, and audit events of the installation. */
export const installation: Owner = { id: globalTenantId, name: 'the installation' };

/** The municipality of rows, or the installation. */
export interface Owner {
  id: string;
  name: string;
}

export type OrganizationRow = Owner & History & Record<string, SqlValue>;

export const listTables = (owner: Owner): readonly Table[] =>
  copiedTables.filter((table) =>
    owner === installation ? table.isGlobal || table === auditEventTable : !table.isGlobal,
  );

/** The target may have accounts and audit events of its own. */
export const keepsSurplus = (table: Table, organizationId: string) =>
  organizationId === globalTenantId || table.appendOnly === true;

export async function listOrganizations(engine: Engine): Promise<OrganizationRow[]> {
  const rows = await engine.query<OrganizationRow>(
    `SELECT ${organizationColumns.join(', ')} FROM organization ORDER BY id`,
  );
  const histories = await engine.queryForEachTenant<History>(
    'SELECT organization_id AS id, history_id, pruned_sequence FROM change_history WHERE organization_id = $1',
    rows.map(({ id }) => id),
    [],
  );
  const historyOf = new Map(histories.map((history) => [history.id, history]));
  return rows.map((row) => ({ ...row, ...(historyOf.get(row.id) as History) }));
}
