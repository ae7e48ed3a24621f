-- Compatible with 0001.

-- Beyond the specification, as `answer` is. JSON: a list of documents without empty ones, and a point of GeoJSON.
ALTER TABLE submission ADD COLUMN documents text COLLATE "C";
ALTER TABLE submission ADD CONSTRAINT submission_documents_check CHECK (json_typeof(documents::json) = 'array') NOT VALID;
ALTER TABLE submission ADD COLUMN location text COLLATE "C";
ALTER TABLE submission ADD CONSTRAINT submission_location_check
  CHECK (json_typeof(location::json) = 'object' AND length(location) <= 100) NOT VALID;
ALTER TABLE session ADD COLUMN documents text COLLATE "C";
ALTER TABLE session ADD CONSTRAINT session_documents_check CHECK (json_typeof(documents::json) = 'array') NOT VALID;

-- Whether a municipality publishes any.
CREATE INDEX submission_with_documents ON submission (organization_id) WHERE documents IS NOT NULL;
CREATE INDEX submission_with_location ON submission (organization_id) WHERE location IS NOT NULL;
CREATE INDEX session_with_documents ON session (organization_id) WHERE documents IS NOT NULL;

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
        (SELECT organization_id, id, document, title, source_url, answer, source_status, documents, location FROM added
          EXCEPT SELECT organization_id, id, document, title, source_url, answer, source_status, documents, location FROM removed)
      ) AS changed
      UNION (SELECT organization_id, id FROM removed EXCEPT SELECT organization_id, id FROM added)
    ) AS changed;
  ELSE
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM (
      SELECT organization_id, id FROM (
        (SELECT organization_id, id, document, title, source_url, place, documents FROM added
          EXCEPT SELECT organization_id, id, document, title, source_url, place, documents FROM removed)
      ) AS changed
      UNION (SELECT organization_id, id FROM removed EXCEPT SELECT organization_id, id FROM added)
    ) AS changed;
  END IF;
  RETURN NULL;
END
$$;
