-- Compatible with 0001.

-- Beyond the specification, as `answer` is. JSON: a list of documents without empty ones, and a point of GeoJSON.
ALTER TABLE submission ADD COLUMN documents TEXT CHECK (json_type(documents) = 'array');
ALTER TABLE submission ADD COLUMN location TEXT CHECK (json_type(location) = 'object' AND length(location) <= 100);
ALTER TABLE session ADD COLUMN documents TEXT CHECK (json_type(documents) = 'array');

-- Whether a municipality publishes any.
CREATE INDEX submission_with_documents ON submission (organization_id) WHERE documents IS NOT NULL;
CREATE INDEX submission_with_location ON submission (organization_id) WHERE location IS NOT NULL;
CREATE INDEX session_with_documents ON session (organization_id) WHERE documents IS NOT NULL;

DROP TRIGGER submission_changed;
CREATE TRIGGER submission_changed AFTER UPDATE ON submission
WHEN old.document <> new.document
  OR (old.title, old.source_url, old.answer, old.source_status, old.documents, old.location)
    IS NOT (new.title, new.source_url, new.answer, new.source_status, new.documents, new.location) BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'submission', new.id);
END;

DROP TRIGGER session_changed;
CREATE TRIGGER session_changed AFTER UPDATE ON session
WHEN old.document <> new.document
  OR (old.title, old.source_url, old.place, old.documents) IS NOT (new.title, new.source_url, new.place, new.documents) BEGIN
  INSERT INTO new_change VALUES (new.organization_id, 'session', new.id);
END;
