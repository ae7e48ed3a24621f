/** The tables of both engines, in the order of their foreign keys. */
import { listStoredFields, toColumnName } from '../contract/field.ts';
import { keyFields } from '../domain/keys/key-fields.ts';
import { organizationFields } from '../domain/organizations/organization-fields.ts';
import { mapFieldsByKind } from '../domain/records/records.ts';
import { importCounts, undoCounts } from '../domain/runs/run-history.ts';
import { describeSourceField, sourceFields } from '../domain/sources/source-fields.ts';

/** Columns and their types, by name. */
export type Columns = Readonly<Record<string, 'text' | 'integer' | 'bytes'>>;

export interface Table {
  name: string;
  /** The rows belong to the whole installation, and have no `organization_id`. */
  isGlobal?: true;
  /** Key within one municipality, in order. */
  key: Columns;
  /** Other columns that the program writes. */
  columns: Columns;
  /** Generated columns that the API publishes. */
  generated?: readonly string[];
  /** Rows are never updated or deleted. */
  appendOnly?: true;
  /** A condition on the rows that belong to copies. Default: all. */
  copied?: string;
}

/** The columns of published fields. Booleans are stored as 0 and 1. */
const fieldColumns = mapFieldsByKind(
  (fields): Columns =>
    Object.fromEntries(
      listStoredFields(fields).map(({ column, isText }) => [column, isText ? 'text' : 'integer']),
    ),
);

/** All columns except `organization_id` and generated columns. */
export const getColumns = ({ key, columns }: Table): Columns => ({ ...key, ...columns });

/** Names of `getColumns` for SQL. */
export const listColumnNames = (table: Table): string => Object.keys(getColumns(table)).join(', ');

/** Columns of `organization` that the program writes. */
export const organizationColumns = [
  'id',
  'created_at',
  ...organizationFields.names.map(toColumnName),
  'logo_digest',
  'logo_media_type',
  'logo_width',
  'logo_height',
];

/** Every slug that a municipality has or had, also of removed ones. A trigger adds them. */
export const organizationSlugTable = {
  name: 'organization_slug',
  isGlobal: true,
  key: { slug: 'text' },
  columns: { organization_id: 'text' },
  appendOnly: true,
} as const satisfies Table;

/** Contents of the logos. */
export const organizationLogoTable = {
  name: 'organization_logo',
  key: { digest: 'text' },
  columns: { content: 'bytes' },
} as const satisfies Table;

export const submissionTable = {
  name: 'submission',
  key: { id: 'text' },
  columns: { ...fieldColumns.submission, source_id: 'integer' },
  generated: ['tally', 'document'],
} as const satisfies Table;

export const sessionTable = {
  name: 'session',
  key: { id: 'text' },
  columns: { ...fieldColumns.session, source_id: 'integer' },
  generated: ['document'],
} as const satisfies Table;

export const sessionSubmissionTable = {
  name: 'session_submission',
  key: { session_id: 'text', position: 'integer' },
  columns: { submission_id: 'text' },
} as const satisfies Table;

export const surveyTable = {
  name: 'survey',
  key: { id: 'text' },
  columns: { ...fieldColumns.survey, ended: 'text', source_id: 'integer' },
  generated: ['summary', 'document'],
} as const satisfies Table;

export const recordTables = {
  submission: submissionTable,
  session: sessionTable,
  survey: surveyTable,
} as const;

export const surveyQuestionTable = {
  name: 'survey_question',
  key: { survey_id: 'text', position: 'integer' },
  columns: fieldColumns.question,
  generated: ['document'],
} as const satisfies Table;

export const surveyOptionTable = {
  name: 'survey_option',
  key: { survey_id: 'text', question_position: 'integer', position: 'integer' },
  columns: fieldColumns.option,
  generated: ['document'],
} as const satisfies Table;

/** The latest change of each object that is or was published. Written by triggers. */
const changeTable = {
  name: 'change',
  key: { kind: 'text', id: 'text' },
  columns: { sequence: 'integer', changed_at: 'text' },
} as const satisfies Table;

/** Tables with a `source_id`. */
export type SourcedTable = typeof submissionTable | typeof sessionTable | typeof surveyTable;

export const publishedTables = [
  submissionTable,
  sessionTable,
  sessionSubmissionTable,
  surveyTable,
  surveyQuestionTable,
  surveyOptionTable,
  changeTable,
] as const;

const keyValueColumns: Columns = Object.fromEntries(
  keyFields.names.map((field) => [
    toColumnName(field),
    keyFields.declared[field].kind === 'count' ? 'integer' : 'text',
  ]),
);

export const apiKeyTable = {
  name: 'api_key',
  key: { id: 'text' },
  columns: {
    secret_hash: 'bytes',
    prefix: 'text',
    created_at: 'text',
    revoked_at: 'text',
    created_by: 'text',
    predecessor_id: 'text',
    ...keyValueColumns,
  },
} as const satisfies Table;

export const rateWindowTable = {
  name: 'rate_window',
  key: { key_id: 'text' },
  columns: { window_start_ms: 'integer', used: 'integer', last_used_at_ms: 'integer' },
} as const satisfies Table;

export const keyUsageTable = {
  name: 'key_usage_daily',
  key: { key_id: 'text', day: 'text', operation: 'text', status: 'integer' },
  columns: { requests: 'integer' },
} as const satisfies Table;

export const rejectedRequestTable = {
  name: 'rejected_request',
  key: { key_id: 'text', at: 'text', id: 'text' },
  columns: { operation: 'text', status: 'integer', message: 'text', parameter: 'text' },
} as const satisfies Table;

export const accountTable = {
  name: 'account',
  isGlobal: true,
  key: { id: 'text' },
  columns: {
    email: 'text',
    name: 'text',
    is_operator: 'integer',
    language: 'text',
    password_hash: 'text',
    totp_secret: 'bytes',
    totp_step: 'integer',
    recovery_codes: 'bytes',
    oidc_issuer: 'text',
    oidc_subject: 'text',
    created_at: 'text',
    created_by: 'text',
  },
} as const satisfies Table;

export const accountRoleTable = {
  name: 'account_role',
  key: { account_id: 'text' },
  columns: { role: 'text', permissions: 'text' },
} as const satisfies Table;

export const notificationSettingTable = {
  name: 'notification_setting',
  isGlobal: true,
  key: { account_id: 'text', kind: 'text' },
  columns: { enabled: 'integer', unsubscribe_token: 'text' },
} as const satisfies Table;

export const sourceValueColumns: Columns = Object.fromEntries(
  sourceFields.names.map((field) => {
    const { kind } = describeSourceField(field);
    return [toColumnName(field), kind === 'interval' || kind === 'percent' ? 'integer' : 'text'];
  }),
);

export const importSourceTable = {
  name: 'import_source',
  key: { id: 'integer' },
  columns: {
    format: 'text',
    name: 'text',
    license: 'text',
    redaction: 'text',
    has_support_counts: 'integer',
    personal_data: 'text',
    ...sourceValueColumns,
    options: 'text',
    requested_redaction: 'text',
    last_success_at: 'text',
    last_run_id: 'text',
    failing_since: 'text',
    failed_at: 'text',
    error: 'text',
    failures: 'integer',
    next_at: 'text',
    stale_at: 'text',
    validators: 'text',
    portal_key: 'bytes',
    portal_key_origin: 'text',
  },
} as const satisfies Table;

export const endpointObjectTable = {
  name: 'endpoint_object',
  key: { source_id: 'integer', id: 'text' },
  columns: { object: 'text' },
} as const satisfies Table;

export const importRunTable = {
  name: 'import_run',
  copied: 'outcome IS NOT NULL',
  key: { id: 'text' },
  columns: {
    started_at: 'text',
    heartbeat_at: 'text',
    ended_at: 'text',
    actor: 'text',
    address: 'text',
    format: 'text',
    source_id: 'integer',
    sources: 'text',
    outcome: 'text',
    undone_at: 'text',
    failure: 'text',
    notes: 'text',
    ...Object.fromEntries(importCounts.map((name) => [name, 'integer'] as const)),
    ...Object.fromEntries(undoCounts.map((name) => [`undo_${name}`, 'integer'] as const)),
  },
} as const satisfies Table;

export const importRejectionTable = {
  name: 'import_rejection',
  key: { run_id: 'text', position: 'integer' },
  columns: { source: 'text', line: 'integer', entry: 'integer', record_id: 'text', reason: 'text' },
} as const satisfies Table;

export const recordDecisionTable = {
  name: 'record_decision',
  key: { kind: 'text', id: 'text' },
  columns: {
    decision: 'text',
    record: 'text',
    correction: 'text',
    own_changes: 'text',
    reason: 'text',
    actor: 'text',
    decided_at: 'text',
  },
} as const satisfies Table;

/** Keys of the digests of `record_digest`. */
export const digestKeyTable = {
  name: 'digest_key',
  key: { algorithm: 'text' },
  columns: { key: 'bytes' },
} as const satisfies Table;

export const recordDigestTable = {
  name: 'record_digest',
  key: { kind: 'text', id: 'text', position: 'integer' },
  columns: { digest: 'text' },
} as const satisfies Table;

export const recordMatchTable = {
  name: 'record_match',
  key: { kind: 'text', id: 'text' },
  columns: {
    decided_id: 'text',
    source_id: 'integer',
    matched_at: 'text',
    allowed_at: 'text',
    allowed_by: 'text',
  },
} as const satisfies Table;

export const recordNoteTable = {
  name: 'record_note',
  key: { kind: 'text', record_id: 'text', id: 'text' },
  columns: { text: 'text', actor: 'text', created_at: 'text' },
} as const satisfies Table;

/** The latest public results of surveys that are no longer public. */
export const formerSurveyTable = {
  name: 'former_survey',
  key: { id: 'text' },
  columns: { record: 'text' },
} as const satisfies Table;

/** Has the columns of `session_submission`. */
export const withheldAgendaEntryTable = {
  name: 'withheld_agenda_entry',
  key: { session_id: 'text', position: 'integer' },
  columns: { submission_id: 'text' },
} as const satisfies Table;

export const auditEventTable = {
  name: 'audit_event',
  key: { id: 'text' },
  columns: {
    at: 'text',
    actor: 'text',
    address: 'text',
    action: 'text',
    subject: 'text',
    subject_kind: 'text',
    subject_id: 'text',
    changes: 'text',
  },
  appendOnly: true,
} as const satisfies Table;

export const appendOnlyTables = [auditEventTable.name, organizationSlugTable.name] as const;

/** The index of words, see words/. It is derived from the published data, so copies do not contain it. */
export const wordTables = [
  'word_index',
  'word_segment',
  'word_segment_keys',
  'word_posting',
  'word_pending',
] as const;

/** Published data. Without their municipality, statements see no rows. Citus distributes them. The first is the parent of the others. */
export const tenantTables = [
  'change_history',
  ...publishedTables.map(({ name }) => name),
  ...wordTables,
] as const;

/** Why statements read or write rows of all municipalities in `isolatedTables`. */
export const crossTenantPurposes = {
  /** The audit log of all municipalities says which decisions still exist. */
  audit_log: [recordDecisionTable.name],
  /** `rostra copy` compares whole tables. */
  copy: [
    'change_checkpoint',
    digestKeyTable.name,
    endpointObjectTable.name,
    formerSurveyTable.name,
    importRejectionTable.name,
    'import_undo',
    'import_undo_batch',
    recordDecisionTable.name,
    recordDigestTable.name,
    recordMatchTable.name,
    recordNoteTable.name,
    withheldAgendaEntryTable.name,
  ],
  /** `rostra prune`, and undos that have expired. */
  pruning: ['change_checkpoint', 'import_undo', 'import_undo_batch'],
  /** Each server deletes files of open data with removed records. */
  removals: [recordDecisionTable.name],
} as const;

export type CrossTenantPurpose = keyof typeof crossTenantPurposes;

/** Without their municipality, statements see no rows, unless they name a purpose. */
export const isolatedTables = crossTenantPurposes.copy;

/** With a municipality, statements see only its rows. Without one, they see all, for these reasons. */
export const sharedTables = {
  [accountRoleTable.name]: 'sign-in, and operators',
  approval_request: 'the queue of imports, emails, and expiry',
  [auditEventTable.name]: 'operators, pruning, and events of the installation',
  [importRunTable.name]: 'the queue of imports, notifications, operators and pruning',
  [importSourceTable.name]: 'due sources, notifications and operators',
  [keyUsageTable.name]: 'use of the keys of all municipalities in one statement, and pruning',
  mail_message: 'the queue of emails',
  [organizationLogoTable.name]: 'logos are public',
  [rejectedRequestTable.name]: 'use of the keys of all municipalities in one statement, and pruning',
} as const satisfies Record<string, string>;

/** Tables with an `organization_id` that have no row-level security, and why. */
export const unprotectedTables = {
  [apiKeyTable.name]: 'the key determines the municipality',
  [rateWindowTable.name]: 'one statement counts requests of several municipalities',
  [organizationSlugTable.name]: 'a slug is never given to another municipality',
} as const satisfies Record<string, string>;

/** Tables that the serving role reads and writes, beside `tenantTables`. */
export const unscopedTables = [
  ...isolatedTables,
  ...Object.keys({ ...sharedTables, ...unprotectedTables }),
  'organization',
  'cursor_secret',
  'maintenance_run',
  accountTable.name,
  'invitation',
  notificationSettingTable.name,
  'login_session',
  'attempt',
].filter((name) => !appendOnlyTables.some((one) => one === name));

/** On PostgreSQL, only the owner of the tables writes them. */
export const readOnlyTables = ['audit_export'] as const;

/** `organization_id` of rows that belong to the whole installation. */
export const globalTenantId = '';
