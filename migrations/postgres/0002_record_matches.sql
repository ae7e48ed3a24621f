-- Compatible with 0001.

-- Key of the digests of a municipality. It is never replaced: the digests of records that were removed for good cannot be computed
-- again.
CREATE TABLE digest_key (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  algorithm       text COLLATE "C" NOT NULL,
  key             bytea NOT NULL CHECK (length(key) = 32),
  PRIMARY KEY (organization_id, algorithm)
);

-- What identifies a record that was unpublished or removed for good, so that it is recognised under another id. Without a decision,
-- nothing is kept.
CREATE TABLE record_digest (
  organization_id text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  id              uuid_text NOT NULL,
  position        integer NOT NULL,
  -- Hexadecimal.
  digest          text COLLATE "C" NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (organization_id, kind, id, position),
  FOREIGN KEY (organization_id, kind, id) REFERENCES record_decision (organization_id, kind, id) ON DELETE CASCADE
);

-- Records of imports that equal an unpublished or removed one, without their content.
CREATE TABLE record_match (
  organization_id text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  id              uuid_text NOT NULL,
  -- Id of the unpublished or removed record.
  decided_id      uuid_text NOT NULL,
  source_id       bigint,
  matched_at      timestamp_text NOT NULL,
  -- Imports publish the record after all; null: they do not.
  allowed_at      timestamp_text,
  allowed_by      text COLLATE "C" CHECK (length(allowed_by) BETWEEN 1 AND 254),
  PRIMARY KEY (organization_id, kind, id),
  FOREIGN KEY (organization_id, kind, decided_id) REFERENCES record_decision (organization_id, kind, id) ON DELETE CASCADE
);
CREATE INDEX record_match_decided ON record_match (organization_id, kind, decided_id);
