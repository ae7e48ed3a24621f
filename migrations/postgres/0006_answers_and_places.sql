-- Compatible with 0001.

-- Beyond the specification, as `title` and `source_url` are.
ALTER TABLE submission ADD COLUMN answer text COLLATE "C";
ALTER TABLE submission ADD CONSTRAINT submission_answer_check CHECK (length(answer) BETWEEN 1 AND 100000) NOT VALID;
ALTER TABLE submission ADD COLUMN source_status text COLLATE "C";
ALTER TABLE submission ADD CONSTRAINT submission_source_status_check
  CHECK (length(source_status) BETWEEN 1 AND 1000 AND source_status !~ '[\u0001-\u001f\u007f-\u009f]') NOT VALID;
ALTER TABLE session ADD COLUMN place text COLLATE "C";
ALTER TABLE session ADD CONSTRAINT session_place_check
  CHECK (length(place) BETWEEN 1 AND 1000 AND place !~ '[\u0001-\u001f\u007f-\u009f]') NOT VALID;

-- The statement of a kind is planned only for tables that have its columns.
CREATE OR REPLACE FUNCTION log_changed_objects() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := substring(TG_TABLE_NAME FROM '^[a-z]+');
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM removed;
  ELSIF kind = 'submission' THEN
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM (
      SELECT organization_id, id FROM (
        (SELECT organization_id, id, document, title, source_url, answer, source_status FROM added
          EXCEPT SELECT organization_id, id, document, title, source_url, answer, source_status FROM removed)
      ) AS changed
      UNION (SELECT organization_id, id FROM removed EXCEPT SELECT organization_id, id FROM added)
    ) AS changed;
  ELSE
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM (
      SELECT organization_id, id FROM (
        (SELECT organization_id, id, document, title, source_url, place FROM added
          EXCEPT SELECT organization_id, id, document, title, source_url, place FROM removed)
      ) AS changed
      UNION (SELECT organization_id, id FROM removed EXCEPT SELECT organization_id, id FROM added)
    ) AS changed;
  END IF;
  RETURN NULL;
END
$$;
