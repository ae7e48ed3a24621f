/** Which columns of both engines can hold personal data. The pages about stored data in docs/privacy/ are generated from it. */

import { toColumnName } from '../contract/field.ts';
import { isKeyLine, keyFields } from '../domain/keys/key-fields.ts';
import { organizationFields } from '../domain/organizations/organization-fields.ts';
import { isSourceLine, sourceFields } from '../domain/sources/source-fields.ts';

/** Kinds of data, by the people whom they concern. */
const kindsBySubject = {
  citizen: ['text', 'textCopy', 'word', 'digest', 'reason', 'note', 'redactionTerm', 'reference', 'location'],
  account: [
    'email',
    'personName',
    'actor',
    'networkAddress',
    'browser',
    'credential',
    'identity',
    'role',
    'activity',
    'fileName',
    'delivery',
  ],
  keyHolder: ['keyContact', 'keyUse'],
  contact: ['contact', 'change'],
} as const;

/** `citizen`: people who made a submission, or whom a text names. `contact`: of a municipality. */
export type DataSubject = keyof typeof kindsBySubject;
export type PersonalDataKind = (typeof kindsBySubject)[DataSubject][number];

export const dataSubjects = Object.keys(kindsBySubject) as DataSubject[];

export const concerns = (subject: DataSubject, kind: PersonalDataKind): boolean =>
  (kindsBySubject[subject] as readonly PersonalDataKind[]).includes(kind);

/** When rows are removed. */
export type Retention =
  | 'record'
  | 'municipality'
  | 'key'
  | 'keyUse'
  | 'rejectedRequest'
  | 'account'
  | 'link'
  | 'session'
  | 'attempt'
  | 'mail'
  | 'auditLog'
  | 'importHistory'
  | 'source'
  | 'undo'
  | 'decision'
  | 'approval'
  | 'formerSurvey'
  | 'indexing';

interface StoredData {
  kept: Retention;
  /** By column. */
  personal: Readonly<Record<string, PersonalDataKind>>;
  /** Names of the other columns, separated by spaces. */
  other: string;
}

const otherKeyColumns = keyFields.names.filter((field) => !isKeyLine(field)).map(toColumnName);

const personalFacts = {
  contact_name: 'contact',
  contact_email: 'contact',
  contact_url: 'contact',
  redaction_terms: 'redactionTerm',
} as const;

const otherFacts = organizationFields.names
  .map(toColumnName)
  .filter((column) => !Object.hasOwn(personalFacts, column));

const otherSourceColumns = sourceFields.names.filter((field) => !isSourceLine(field)).map(toColumnName);

/** Tables with personal data. */
export const personalData: Readonly<Record<string, StoredData>> = {
  submission: {
    kept: 'record',
    personal: {
      title: 'text',
      description: 'text',
      topic_category_name: 'text',
      answer: 'text',
      source_status: 'text',
      documents: 'text',
      location: 'location',
      reference_number: 'reference',
      protocol_url: 'reference',
      source_url: 'reference',
      document: 'text',
      tally: 'reference',
    },
    other:
      'organization_id id created_at status status_changed_at priority_level support_count has_attachments source_id',
  },
  session: {
    kept: 'record',
    personal: {
      title: 'text',
      committee_name: 'text',
      committee_name_start: 'text',
      place: 'text',
      documents: 'text',
      source_url: 'reference',
      document: 'text',
    },
    other: 'organization_id id date time_slot submission_count created_at source_id',
  },
  word_posting: { kept: 'record', personal: { word: 'word' }, other: 'organization_id segment numbers' },
  word_pending: { kept: 'indexing', personal: { indexed: 'textCopy' }, other: 'organization_id kind id' },
  survey: {
    kept: 'record',
    personal: { title: 'text', document: 'text', summary: 'text' },
    other: 'organization_id id status total_responses ended source_id',
  },
  survey_question: {
    kept: 'record',
    personal: { question_text: 'text', document: 'text' },
    other: 'organization_id survey_id position question_type',
  },
  survey_option: {
    kept: 'record',
    personal: { option_text: 'text', document: 'text' },
    other: 'organization_id survey_id question_position position response_count',
  },
  record_decision: {
    kept: 'decision',
    personal: {
      record: 'textCopy',
      correction: 'textCopy',
      own_changes: 'textCopy',
      reason: 'reason',
      actor: 'actor',
    },
    other: 'organization_id kind id decision decided_at',
  },
  approval_request: {
    kept: 'approval',
    personal: { payload: 'textCopy', asked_by: 'actor', decided_by: 'actor', comment: 'reason' },
    other: 'organization_id id kind subject asked_account_id asked_at state decided_at',
  },
  record_digest: {
    kept: 'decision',
    personal: { digest: 'digest' },
    other: 'organization_id kind id position',
  },
  record_match: {
    kept: 'decision',
    personal: { allowed_by: 'actor' },
    other: 'organization_id kind id decided_id source_id matched_at allowed_at',
  },
  record_note: {
    kept: 'record',
    personal: { text: 'note', actor: 'actor' },
    other: 'organization_id kind record_id id created_at',
  },
  former_survey: { kept: 'formerSurvey', personal: { record: 'textCopy' }, other: 'organization_id id' },
  endpoint_object: {
    kept: 'source',
    personal: { id: 'reference', object: 'textCopy' },
    other: 'organization_id source_id',
  },
  import_undo_batch: {
    kept: 'undo',
    personal: { steps: 'textCopy' },
    other:
      'organization_id source_id position first_sequence last_sequence inserted replaced surveys inserted_ids',
  },
  import_source: {
    kept: 'source',
    // A text about a source may name a person.
    personal: {
      options: 'redactionTerm',
      requested_redaction: 'redactionTerm',
      ...Object.fromEntries(
        sourceFields.names.filter(isSourceLine).map((field) => [toColumnName(field), 'contact']),
      ),
    },
    other: `organization_id id format name license redaction has_support_counts personal_data ${otherSourceColumns.join(' ')} last_success_at last_run_id failing_since failed_at error failures next_at stale_at validators portal_key portal_key_origin`,
  },
  import_run: {
    kept: 'importHistory',
    personal: {
      actor: 'actor',
      address: 'networkAddress',
      created_by: 'actor',
      queued_by: 'actor',
      queued_from: 'networkAddress',
      sources: 'fileName',
      input_name: 'fileName',
      definition: 'redactionTerm',
      detection: 'textCopy',
      dry_run: 'textCopy',
      notes: 'textCopy',
    },
    other:
      'organization_id id started_at heartbeat_at ended_at format source_id outcome lease_token undone_at failure read inserted changed unchanged removed ignored rejected undo_removed undo_restored undo_surveys step state step_failure source_name input_kind input_bytes file_expires_at_ms progress created_at queued_at_ms crashes',
  },
  import_rejection: {
    kept: 'importHistory',
    personal: { source: 'fileName', record_id: 'reference', reason: 'reference' },
    other: 'organization_id run_id position line entry',
  },
  organization: {
    kept: 'municipality',
    personal: { ...personalFacts, document: 'contact' },
    other: `id created_at ${otherFacts.join(' ')} data_version write_token logo_digest logo_media_type logo_width logo_height`,
  },
  api_key: {
    kept: 'key',
    // A text about a key may name a person.
    personal: {
      ...Object.fromEntries(
        keyFields.names.filter(isKeyLine).map((field) => [toColumnName(field), 'keyContact']),
      ),
      created_by: 'actor',
    },
    other: `organization_id id secret_hash prefix created_at revoked_at predecessor_id ${otherKeyColumns.join(' ')}`,
  },
  rate_window: {
    kept: 'key',
    personal: { used: 'keyUse', last_used_at_ms: 'keyUse' },
    other: 'organization_id key_id window_start_ms granted request_limit',
  },
  key_usage_daily: {
    kept: 'keyUse',
    personal: { day: 'keyUse', operation: 'keyUse', status: 'keyUse', requests: 'keyUse' },
    other: 'organization_id key_id',
  },
  rejected_request: {
    kept: 'rejectedRequest',
    personal: { at: 'keyUse', operation: 'keyUse', status: 'keyUse', message: 'keyUse', parameter: 'keyUse' },
    other: 'organization_id key_id id',
  },
  account: {
    kept: 'account',
    personal: {
      email: 'email',
      name: 'personName',
      is_operator: 'role',
      language: 'role',
      password_hash: 'credential',
      totp_secret: 'credential',
      totp_step: 'activity',
      recovery_codes: 'credential',
      oidc_issuer: 'identity',
      oidc_subject: 'identity',
      created_by: 'actor',
    },
    other: 'id created_at',
  },
  account_role: {
    kept: 'account',
    personal: { role: 'role', permissions: 'role' },
    other: 'organization_id account_id',
  },
  notification_setting: {
    kept: 'account',
    personal: { kind: 'role', enabled: 'role', unsubscribe_token: 'credential' },
    other: 'account_id',
  },
  invitation: {
    kept: 'link',
    personal: { token_hash: 'credential' },
    other: 'account_id keeps_second_factor expires_at_ms',
  },
  login_session: {
    kept: 'session',
    personal: {
      token_hash: 'credential',
      address: 'networkAddress',
      browser: 'browser',
      created_at_ms: 'activity',
      last_seen_at_ms: 'activity',
      reauthenticated_at_ms: 'activity',
    },
    other: 'id account_id pending_second_factor',
  },
  attempt: {
    kept: 'attempt',
    personal: { name: 'networkAddress', used: 'activity' },
    other: 'window_start_ms',
  },
  mail_message: {
    kept: 'mail',
    personal: { kind: 'delivery', state: 'delivery', error: 'delivery' },
    other:
      'organization_id account_id subject_id event created_at_ms due_at_ms lease_token attempts ended_at_ms',
  },
  audit_event: {
    kept: 'auditLog',
    personal: {
      at: 'activity',
      actor: 'actor',
      address: 'networkAddress',
      action: 'activity',
      subject: 'activity',
      changes: 'change',
    },
    other: 'organization_id id subject_kind subject_id',
  },
};

/** Columns of the other tables, separated by spaces. */
export const otherTables: Readonly<Record<string, string>> = {
  audit_export: 'file first_at last_at entries sha256 exported_at',
  change: 'organization_id kind id sequence changed_at',
  change_checkpoint: 'organization_id at sequence',
  change_history: 'organization_id history_id change_sequence pruned_sequence',
  cursor_secret: 'generation secret created_at',
  digest_key: 'organization_id algorithm key',
  import_undo: 'organization_id source_id run_id created_at state redaction_before redaction',
  maintenance_run: 'kind started_at finished_at outcome detail last_success_at',
  organization_logo: 'organization_id digest content',
  organization_slug: 'slug organization_id',
  schema_migration: 'version name compatible_with checksum',
  session_submission: 'organization_id session_id position submission_id',
  withheld_agenda_entry: 'organization_id session_id position submission_id',
  word_index: 'organization_id kind rules filled_to revision',
  word_segment: 'organization_id kind segment first_key last_key count next_number is_sorted',
  word_segment_keys: 'organization_id segment part keys',
};
