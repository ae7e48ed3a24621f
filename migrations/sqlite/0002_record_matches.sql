-- Compatible with 0001.

-- Key of the digests of a municipality. It is never replaced: the digests of records that were removed for good cannot be computed
-- again.
CREATE TABLE digest_key (
  organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  algorithm       TEXT NOT NULL,
  key             BLOB NOT NULL CHECK (length(key) = 32),
  PRIMARY KEY (organization_id, algorithm)
) STRICT, WITHOUT ROWID;

-- What identifies a record that was unpublished or removed for good, so that it is recognised under another id. Without a decision,
-- nothing is kept.
CREATE TABLE record_digest (
  organization_id TEXT NOT NULL,
  kind            TEXT NOT NULL,
  id              TEXT NOT NULL,
  position        INTEGER NOT NULL,
  -- Hexadecimal.
  digest          TEXT NOT NULL CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  PRIMARY KEY (organization_id, kind, id, position),
  FOREIGN KEY (organization_id, kind, id) REFERENCES record_decision (organization_id, kind, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Records of imports that equal an unpublished or removed one, without their content.
CREATE TABLE record_match (
  organization_id TEXT NOT NULL,
  kind            TEXT NOT NULL,
  id              TEXT NOT NULL CHECK (length(id) = 36),
  -- Id of the unpublished or removed record.
  decided_id      TEXT NOT NULL,
  source_id       INTEGER,
  matched_at      TEXT NOT NULL CHECK (matched_at > '0001' AND matched_at IS strftime('%Y-%m-%dT%H:%M:%fZ', matched_at)),
  -- Imports publish the record after all; null: they do not.
  allowed_at      TEXT CHECK (allowed_at > '0001' AND allowed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', allowed_at)),
  allowed_by      TEXT CHECK (length(allowed_by) BETWEEN 1 AND 254),
  PRIMARY KEY (organization_id, kind, id),
  FOREIGN KEY (organization_id, kind, decided_id) REFERENCES record_decision (organization_id, kind, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX record_match_decided ON record_match (organization_id, kind, decided_id);
