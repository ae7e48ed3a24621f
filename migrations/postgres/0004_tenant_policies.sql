-- Compatible with 0001.

-- Row-level security of the tables beside the published data. A policy `tenant` allows the rows of the municipality that a statement
-- has set. The others are named after their purpose: src/store/table-descriptors.ts lists them.

-- Without its municipality, a statement sees no rows of these tables, unless it has set a purpose.
CREATE POLICY tenant ON change_checkpoint USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON digest_key USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON endpoint_object USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON former_survey USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON import_rejection USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON import_undo USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON import_undo_batch USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON record_decision USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON record_digest USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON record_match USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON withheld_agenda_entry USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY copy ON change_checkpoint FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON digest_key FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON endpoint_object FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON former_survey FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON import_rejection FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON import_undo FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON import_undo_batch FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON record_decision FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON record_digest FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON record_match FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY copy ON withheld_agenda_entry FOR SELECT USING (current_setting('rostra.purpose', true) = 'copy');
CREATE POLICY pruning ON change_checkpoint USING (current_setting('rostra.purpose', true) = 'pruning');
CREATE POLICY pruning ON import_undo USING (current_setting('rostra.purpose', true) = 'pruning');
CREATE POLICY pruning ON import_undo_batch USING (current_setting('rostra.purpose', true) = 'pruning');
CREATE POLICY audit_log ON record_decision FOR SELECT USING (current_setting('rostra.purpose', true) = 'audit_log');
CREATE POLICY removals ON record_decision FOR SELECT USING (current_setting('rostra.purpose', true) = 'removals');

-- Version 1.0 has no municipality in statements on these tables, also where it wants the rows of one, and no purpose. A later migration
-- that is not compatible with it drops these policies.
CREATE POLICY version_1_0 ON change_checkpoint
  USING (coalesce(current_setting('rostra.organization_id', true), '') = '' AND coalesce(current_setting('rostra.purpose', true), '') = '');
CREATE POLICY version_1_0 ON endpoint_object
  USING (coalesce(current_setting('rostra.organization_id', true), '') = '' AND coalesce(current_setting('rostra.purpose', true), '') = '');
CREATE POLICY version_1_0 ON import_rejection
  USING (coalesce(current_setting('rostra.organization_id', true), '') = '' AND coalesce(current_setting('rostra.purpose', true), '') = '');
CREATE POLICY version_1_0 ON import_undo
  USING (coalesce(current_setting('rostra.organization_id', true), '') = '' AND coalesce(current_setting('rostra.purpose', true), '') = '');
CREATE POLICY version_1_0 ON import_undo_batch
  USING (coalesce(current_setting('rostra.organization_id', true), '') = '' AND coalesce(current_setting('rostra.purpose', true), '') = '');
CREATE POLICY version_1_0 ON record_decision
  USING (coalesce(current_setting('rostra.organization_id', true), '') = '' AND coalesce(current_setting('rostra.purpose', true), '') = '');
CREATE POLICY version_1_0 ON withheld_agenda_entry
  USING (coalesce(current_setting('rostra.organization_id', true), '') = '' AND coalesce(current_setting('rostra.purpose', true), '') = '');

-- A statement with a municipality sees only its rows of these tables, one without sees all. NOT LIKE: PostgreSQL assumes that few rows
-- fulfil an equation, and would sort them instead of reading along an index.
CREATE POLICY tenant ON account_role USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON audit_event USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON import_run USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON import_source USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON key_usage_daily USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON mail_message USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON organization_logo USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON rejected_request USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY without_tenant ON account_role USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
CREATE POLICY without_tenant ON audit_event USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
CREATE POLICY without_tenant ON import_run USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
CREATE POLICY without_tenant ON import_source USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
CREATE POLICY without_tenant ON key_usage_daily USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
CREATE POLICY without_tenant ON mail_message USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
CREATE POLICY without_tenant ON organization_logo USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');
CREATE POLICY without_tenant ON rejected_request USING (coalesce(current_setting('rostra.organization_id', true), '') NOT LIKE '_%');

ALTER TABLE account_role ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_event ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE change_checkpoint ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE digest_key ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE endpoint_object ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE former_survey ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE import_rejection ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE import_run ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE import_source ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE import_undo ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE import_undo_batch ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE key_usage_daily ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE mail_message ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE organization_logo ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE record_decision ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE record_digest ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE record_match ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE rejected_request ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE withheld_agenda_entry ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
