-- Compatible with 0001.

-- The latest public results of surveys that are no longer public: they became drafts, or their source removed them. Later results are
-- compared with them. Deleted when the survey is public again, or removed for good.
CREATE TABLE former_survey (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id              TEXT NOT NULL CHECK (length(id) = 36),
  -- JSON object: the results as the API published them, with the texts of the source.
  record          TEXT NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
