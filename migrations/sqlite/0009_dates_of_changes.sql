-- Compatible with 0001.

-- The day on which a survey ended, or its year if the day is unknown; empty: both are. Beyond the specification, so `document` and
-- `summary` lack it.
ALTER TABLE survey ADD COLUMN ended TEXT NOT NULL DEFAULT '' CHECK (ended = '' OR ended GLOB '[0-9][0-9][0-9][0-9]' AND ended > '0000'
  OR ended > '0001' AND ended IS strftime('%Y-%m-%d', ended));

CREATE INDEX survey_list ON survey (organization_id, ended, id DESC) WHERE status <> 'draft';

DROP TRIGGER survey_changed;
CREATE TRIGGER survey_changed AFTER UPDATE ON survey
WHEN (old.document <> new.document OR old.ended <> new.ended) AND (old.status <> 'draft' OR new.status <> 'draft') BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'survey', new.id);
END;

-- Every kind of change has its time. Those of submissions and surveys that are older than this migration have none.
DROP TRIGGER new_change_logged;
CREATE TRIGGER new_change_logged INSTEAD OF INSERT ON new_change BEGIN
  UPDATE change_history SET change_sequence = change_sequence + 1 WHERE organization_id = new.organization_id;
  INSERT INTO change (organization_id, kind, id, sequence, changed_at)
  SELECT organization_id, new.kind, new.id, change_sequence, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  FROM change_history WHERE organization_id = new.organization_id
  ON CONFLICT (organization_id, kind, id) DO UPDATE SET sequence = excluded.sequence, changed_at = excluded.changed_at;
END;

-- Submissions by the time since which they have their status. Texts that are no time are left out.
CREATE INDEX submission_status_changes ON submission (organization_id, status_changed_at, id DESC)
  WHERE status_changed_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z';
CREATE INDEX submission_status_changes_by_status ON submission (organization_id, status, status_changed_at, id DESC)
  WHERE status_changed_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z';
CREATE INDEX submission_status_changes_by_topic ON submission (organization_id, topic_category_name, status_changed_at, id DESC)
  WHERE status_changed_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z';
CREATE INDEX submission_status_changes_by_status_and_topic
  ON submission (organization_id, status, topic_category_name, status_changed_at, id DESC)
  WHERE status_changed_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z';

-- The index by status has these rows, too.
DROP INDEX submission_decided_by_status;
