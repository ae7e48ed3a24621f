-- Compatible with 0001.

-- The day on which a survey ended, or its year if the day is unknown; empty: both are. Beyond the specification, so `document` and
-- `summary` lack it.
ALTER TABLE survey ADD COLUMN ended text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE survey ADD CONSTRAINT survey_ended_check CHECK (CASE length(ended)
  WHEN 0 THEN true
  WHEN 4 THEN ended ~ '^\d{4}$' AND ended > '0000'
  ELSE ended ~ '^\d{4}-\d{2}-\d{2}$'
    AND make_date(substr(ended, 1, 4)::int, substr(ended, 6, 2)::int, substr(ended, 9, 2)::int) >= '0001-01-01'
END) NOT VALID;

CREATE INDEX IF NOT EXISTS survey_list ON survey (organization_id, ended DESC, id) WHERE status <> 'draft';

CREATE OR REPLACE FUNCTION log_changed_surveys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM log_changes(TG_TABLE_NAME, 'survey', array_agg(organization_id), array_agg(id)) FROM added WHERE status <> 'draft';
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM log_changes(TG_TABLE_NAME, 'survey', array_agg(organization_id), array_agg(id)) FROM removed WHERE status <> 'draft';
  ELSE
    PERFORM log_changes(TG_TABLE_NAME, 'survey', array_agg(organization_id), array_agg(id)) FROM (
      SELECT DISTINCT organization_id, id FROM (
        (SELECT organization_id, id, status, document, ended FROM added
          EXCEPT SELECT organization_id, id, status, document, ended FROM removed)
        UNION ALL (SELECT organization_id, id, status, document, ended FROM removed
          EXCEPT SELECT organization_id, id, status, document, ended FROM added)
      ) AS changed WHERE status <> 'draft'
    ) AS changed;
  END IF;
  RETURN NULL;
END
$$;

-- Every kind of change has its time. Those of submissions and surveys that are older than this migration have none.
CREATE OR REPLACE FUNCTION log_changes(trigger_table text, changed_kind text, organization_ids text[], ids text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'WITH changed AS (
      SELECT organization_id, id, row_number() OVER (PARTITION BY organization_id) AS place
      FROM unnest($2, $3) AS object (organization_id, id)
    ), counted AS (
      UPDATE %I AS history SET change_sequence = change_sequence + objects
      FROM (SELECT organization_id, count(*) AS objects FROM changed GROUP BY organization_id) AS count
      WHERE history.organization_id = count.organization_id
      RETURNING history.organization_id, change_sequence - objects AS sequence_before
    )
    INSERT INTO %I (organization_id, kind, id, sequence, changed_at)
    SELECT organization_id, $1, changed.id, sequence_before + place, $4 FROM changed JOIN counted USING (organization_id)
    ON CONFLICT (organization_id, kind, id) DO UPDATE SET sequence = excluded.sequence, changed_at = excluded.changed_at',
    find_table_beside(trigger_table, 'change_history'), find_table_beside(trigger_table, 'change'))
  USING changed_kind, organization_ids, ids, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
END
$$;

-- Submissions by the time since which they have their status. Texts that are no time are left out.
CREATE INDEX IF NOT EXISTS submission_status_changes ON submission (organization_id, status_changed_at DESC, id)
  WHERE status_changed_at > '0' AND status_changed_at ~ '^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$';
CREATE INDEX IF NOT EXISTS submission_status_changes_by_status ON submission (organization_id, status, status_changed_at DESC, id)
  WHERE status_changed_at > '/' AND status_changed_at ~ '^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$';
CREATE INDEX IF NOT EXISTS submission_status_changes_by_topic
  ON submission (organization_id, topic_category_name, status_changed_at DESC, id)
  WHERE status_changed_at > '/' AND status_changed_at ~ '^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$';
CREATE INDEX IF NOT EXISTS submission_status_changes_by_status_and_topic
  ON submission (organization_id, status, topic_category_name, status_changed_at DESC, id)
  WHERE status_changed_at > '.' AND status_changed_at ~ '^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$';

-- The index by status has these rows, too.
DROP INDEX submission_decided_by_status;
