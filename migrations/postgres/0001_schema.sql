-- Compatible with 0001.
--
-- Published data of all municipalities, API keys and accounts.
--
-- Each published table has a stored generated column `document` with the JSON that the API sends, so every committed row
-- is published, whichever program wrote it. The checks are those of src/contract/. Text is compared
-- byte by byte (COLLATE "C"), because the order of a list must not depend on the locale of the operating system.

CREATE DOMAIN uuid_text AS text COLLATE "C"
  CHECK (VALUE ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$');

CREATE DOMAIN short_text AS text COLLATE "C"
  CHECK (length(VALUE) BETWEEN 1 AND 200 AND VALUE !~ '[\u0001-\u001f\u007f-\u009f]');

-- make_date and make_time reject invalid dates and times.
CREATE DOMAIN timestamp_text AS text COLLATE "C" CHECK (
  VALUE ~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[0-5]\d\.\d{3}Z$'
  AND make_date(substr(VALUE, 1, 4)::int, substr(VALUE, 6, 2)::int, substr(VALUE, 9, 2)::int) >= '0001-01-01'
  AND make_time(substr(VALUE, 12, 2)::int, substr(VALUE, 15, 2)::int, 0) < '24:00'
);

CREATE DOMAIN title_text AS text COLLATE "C"
  CHECK (length(VALUE) BETWEEN 1 AND 1000 AND VALUE !~ '[\u0001-\u001f\u007f-\u009f]');

CREATE DOMAIN web_url AS text COLLATE "C"
  CHECK (length(VALUE) <= 2048 AND VALUE ~ '^https?://' AND VALUE !~ '[\u0001-\u0020\u007f-\u009f]');

CREATE DOMAIN calendar_date AS text COLLATE "C" CHECK (
  VALUE ~ '^\d{4}-\d{2}-\d{2}$'
  AND make_date(substr(VALUE, 1, 4)::int, substr(VALUE, 6, 2)::int, substr(VALUE, 9, 2)::int) >= '0001-01-01'
);

-- A JSON string, or null. SQLite has a function of this name. Generated columns need immutable functions: to_json is only stable, jsonb_object is immutable.
CREATE FUNCTION json_quote(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (jsonb_object(ARRAY['', value]) -> '')::text;

CREATE TABLE organization (
  id           text COLLATE "C" NOT NULL PRIMARY KEY
    CHECK (id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  name         short_text NOT NULL UNIQUE,
  created_at   timestamp_text NOT NULL,
  -- IANA name. Imports read times without an offset in this time zone.
  time_zone     text COLLATE "C" NOT NULL DEFAULT 'Europe/Berlin' CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,100}$'),
  -- ISO 639-1 and ISO 3166-1. Null: the default of the installation.
  language      text COLLATE "C" CHECK (language ~ '^[a-z]{2}$'),
  country       text COLLATE "C" CHECK (country ~ '^[A-Z]{2}$'),
  -- Words, names and patterns that imports replace, one on each line.
  redaction_terms text COLLATE "C" CHECK (length(redaction_terms) BETWEEN 1 AND 20000),
  -- The present slug; `organization_slug` also has the earlier ones.
  slug          text COLLATE "C" CHECK (length(slug) BETWEEN 2 AND 60 AND slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  open_data     text COLLATE "C" NOT NULL DEFAULT 'off' CHECK (open_data IN ('on', 'off')),
  -- Whether search engines may list pages of single records.
  open_data_index text COLLATE "C" NOT NULL DEFAULT 'off' CHECK (open_data_index IN ('on', 'off')),
  license_name  short_text,
  license_url   web_url,
  contact_name  short_text,
  contact_email text COLLATE "C"
    CHECK (length(contact_email) <= 254 AND contact_email ~ '^[^[:space:]@]+@[^[:space:]@]+$' AND contact_email !~ '[\u0001-\u0020\u007f-\u009f]'),
  contact_url   web_url,
  attribution   text COLLATE "C"
    CHECK (length(attribution) BETWEEN 1 AND 1000 AND attribution !~ '[\u0001-\u001f\u007f-\u009f]'),
  -- `organization_logo` has the content. The digest is the beginning of its SHA-256.
  logo_digest     text COLLATE "C" CHECK (logo_digest ~ '^[0-9a-f]{32}$'),
  logo_media_type text COLLATE "C" CHECK (logo_media_type IN ('image/png', 'image/jpeg', 'image/webp')),
  logo_width      integer CHECK (logo_width BETWEEN 1 AND 2000),
  logo_height     integer CHECK (logo_height BETWEEN 1 AND 2000),
  document      text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"id":' || json_quote(id)
    || ',"name":' || json_quote(name)
    || ',"timeZone":' || json_quote(time_zone)
    || ',"license":' || CASE WHEN coalesce(license_name, license_url) IS NULL THEN 'null' ELSE
      '{"name":' || json_quote(license_name) || ',"url":' || json_quote(license_url) || '}' END
    || ',"contact":' || CASE WHEN coalesce(contact_name, contact_email, contact_url) IS NULL THEN 'null' ELSE
      '{"name":' || json_quote(contact_name) || ',"email":' || json_quote(contact_email)
      || ',"url":' || json_quote(contact_url) || '}' END
    || ',"attribution":' || json_quote(attribution)
    || ',"logo":' || CASE WHEN logo_digest IS NULL THEN 'null' ELSE
      '{"url":' || json_quote('/logos/' || logo_digest || '.' || substr(logo_media_type, 7))
      || ',"mediaType":' || json_quote(logo_media_type)
      || ',"width":' || logo_width::text || ',"height":' || logo_height::text || '}' END
    || '}'
  ) STORED,
  -- Id of the last transaction that changed published data. Set by the triggers `touch_data_version`, on Citus by the writer.
  -- A municipality that is removed and added again with the same id has another version.
  data_version bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  -- Citus only: the last write that has not ended, or ended with a crash. Responses are not cached until the next one ends.
  write_token uuid_text,
  CHECK (num_nulls(logo_digest, logo_media_type, logo_width, logo_height) IN (0, 4)),
  CHECK (open_data = 'off' OR (slug IS NOT NULL AND coalesce(license_name, license_url) IS NOT NULL))
);

-- For the catalogue of the installation.
CREATE INDEX organization_open_data ON organization (slug) WHERE open_data = 'on';

-- The numbering of changes, and the parent of all published data. Citus keeps `organization` on the coordinator, and this
-- table on the node that has the municipality's published data. So triggers replace a foreign key to `organization`.
CREATE TABLE change_history (
  organization_id text COLLATE "C" NOT NULL PRIMARY KEY
    CHECK (organization_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  -- Identifies the numbering. A restored database gets another one.
  history_id      uuid_text NOT NULL DEFAULT gen_random_uuid()::text,
  -- Number of the latest change.
  change_sequence bigint NOT NULL DEFAULT 0,
  -- Number of the latest removal that is no longer listed in `change`.
  pruned_sequence bigint NOT NULL DEFAULT 0
);

CREATE FUNCTION begin_change_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_history (organization_id) VALUES (new.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE FUNCTION remove_published_data() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  municipality text := coalesce(current_setting('rostra.organization_id', true), '');
BEGIN
  PERFORM set_config('rostra.organization_id', old.id, true);
  DELETE FROM change_history WHERE organization_id = old.id;
  IF NOT FOUND THEN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
      RAISE EXCEPTION 'On Citus, only Rostra can remove a municipality: the worker hides its data from other programs.';
    END IF;
    RAISE EXCEPTION 'The municipality % has no row in change_history. Add the row, and remove the municipality again.', old.id;
  END IF;
  PERFORM set_config('rostra.organization_id', municipality, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER begin_change_history AFTER INSERT ON organization
  FOR EACH ROW EXECUTE FUNCTION begin_change_history();
CREATE TRIGGER remove_published_data AFTER DELETE ON organization
  FOR EACH ROW EXECUTE FUNCTION remove_published_data();

-- Every slug that a municipality has or had. A slug outlasts its municipality, and is never given to another one, so that an
-- address never leads to the data of somebody else.
CREATE TABLE organization_slug (
  slug            text COLLATE "C" NOT NULL PRIMARY KEY,
  organization_id uuid_text NOT NULL
);

-- Fails if the slug is another municipality's.
CREATE FUNCTION keep_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO organization_slug (slug, organization_id) SELECT new.slug, new.id
  WHERE NOT EXISTS (SELECT 1 FROM organization_slug WHERE slug = new.slug AND organization_id = new.id);
  RETURN NULL;
END
$$;

CREATE TRIGGER keep_slug AFTER INSERT OR UPDATE OF slug ON organization
  FOR EACH ROW WHEN (new.slug IS NOT NULL) EXECUTE FUNCTION keep_slug();

-- Contents of the logos, apart from `organization` so that its rows stay small.
CREATE TABLE organization_logo (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  digest          text COLLATE "C" NOT NULL CHECK (digest ~ '^[0-9a-f]{32}$'),
  content         bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 262144),
  PRIMARY KEY (organization_id, digest)
);

CREATE INDEX organization_logo_by_digest ON organization_logo (digest);

-- The table beside that of a trigger. On Citus, triggers run on a shard, such as `submission_102008`. They may only use
-- shards of the same municipalities.
CREATE FUNCTION find_table_beside(trigger_table text, wanted text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  shard bigint := substring(trigger_table FROM '_(\d+)$')::bigint;
BEGIN
  IF shard IS NULL THEN
    RETURN wanted;
  END IF;
  RETURN wanted || '_' || (
    SELECT other.shardid FROM pg_dist_shard AS own JOIN pg_dist_shard AS other USING (shardminvalue)
    WHERE own.shardid = shard AND other.logicalrelid = to_regclass(wanted)
  );
END
$$;

-- Updates a municipality once per transaction. Row-level security limits writes to the municipality of the setting. Roles
-- that bypass it can write without the setting, and then all municipalities are updated. On Citus the writer does this before
-- and after its transaction, see src/store/postgres/citus-write-tokens.ts.
CREATE FUNCTION touch_data_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  municipality text := nullif(current_setting('rostra.organization_id', true), '');
  this_transaction bigint := pg_current_xact_id()::text::bigint;
BEGIN
  -- `organization` is out of reach of a shard.
  IF TG_TABLE_NAME ~ '_\d+$' THEN
    IF coalesce(current_setting('rostra.write_token', true), '') = '' THEN
      RAISE EXCEPTION 'On Citus, only Rostra can write published data: its transactions record the data version.';
    END IF;
    RETURN NULL;
  END IF;
  UPDATE organization SET data_version = this_transaction
  WHERE id = coalesce(municipality, id) AND data_version <> this_transaction;
  RETURN NULL;
END
$$;

CREATE TABLE submission (
  organization_id     text COLLATE "C" NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  id                  uuid_text NOT NULL,
  created_at          timestamp_text NOT NULL,
  reference_number    short_text,
  status              short_text NOT NULL,
  status_changed_at   short_text NOT NULL,
  topic_category_name short_text,
  priority_level      short_text NOT NULL DEFAULT 'normal',
  support_count       integer NOT NULL DEFAULT 0 CHECK (support_count >= 0),
  has_attachments     integer NOT NULL DEFAULT 0 CHECK (has_attachments IN (0, 1)),
  protocol_url        web_url,
  -- Beyond the specification: `document` lacks them, and queries add them to it.
  title               title_text,
  source_url          web_url,
  -- The `import_source` that last wrote the row; null without a source.
  source_id           bigint,
  description         text COLLATE "C" NOT NULL CHECK (length(description) <= 100000),
  tally               text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"submissionId":' || json_quote(id)
    || ',"referenceNumber":' || json_quote(reference_number)
    || ',"supportCount":' || support_count
    || ',"createdAt":' || json_quote(created_at)
    || '}'
  ) STORED,
  document            text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"id":' || json_quote(id)
    || ',"referenceNumber":' || json_quote(reference_number)
    || ',"description":' || json_quote(description)
    || ',"status":' || json_quote(status)
    || ',"topicCategoryName":' || json_quote(topic_category_name)
    || ',"priorityLevel":' || json_quote(priority_level)
    || ',"supportCount":' || support_count
    || ',"hasAttachments":' || CASE has_attachments WHEN 1 THEN 'true' ELSE 'false' END
    || ',"protocolUrl":' || json_quote(protocol_url)
    || ',"createdAt":' || json_quote(created_at)
    || ',"statusChangedAt":' || json_quote(status_changed_at)
    || '}'
  ) STORED,
  PRIMARY KEY (organization_id, id)
);

-- One index for each combination of filters, in the order of the list, so that a page is an index seek without a sort.
-- Every row meets the conditions, `> '0'` without filters, `> '/'` for one and `> '.'` for two. A query contains only the
-- condition of its own index: see `composeScope`. Statistics of a source count with the source in two of them.
CREATE INDEX submission_list ON submission (organization_id, created_at DESC, id) WHERE created_at > '0';
CREATE INDEX submission_list_by_status ON submission (organization_id, status, created_at DESC, id)
  INCLUDE (source_id) WHERE created_at > '/';
CREATE INDEX submission_list_by_topic ON submission (organization_id, topic_category_name, created_at DESC, id)
  INCLUDE (source_id) WHERE created_at > '/';
CREATE INDEX submission_list_by_status_and_topic
  ON submission (organization_id, status, topic_category_name, created_at DESC, id) WHERE created_at > '.';

-- The submissions of a source, for the admin area.
CREATE INDEX submission_by_source ON submission (organization_id, source_id, created_at DESC, id) WHERE created_at > '/';

-- Submissions with the most support, for the admin area. Partial, so it costs nothing for imports without support.
CREATE INDEX submission_by_support ON submission (organization_id, support_count DESC, created_at DESC, id)
  INCLUDE (source_id) WHERE support_count > 0;

-- The latest decisions, for open data. Partial: `status_changed_at` may be a text instead of a time.
CREATE INDEX submission_decided ON submission (organization_id, status_changed_at DESC, id)
  WHERE status IN ('accepted', 'rejected', 'completed') AND status_changed_at LIKE '____-__-__T__:__:__.___Z'
    AND substr(status_changed_at, 6, 2) BETWEEN '01' AND '12' AND substr(status_changed_at, 9, 2) BETWEEN '01' AND '31'
    AND substr(status_changed_at, 12, 2) BETWEEN '00' AND '23';

CREATE TABLE session (
  organization_id  text COLLATE "C" NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  id               uuid_text NOT NULL,
  date             calendar_date NOT NULL,
  committee_name   text COLLATE "C" NOT NULL
    CHECK (length(committee_name) BETWEEN 1 AND 1000 AND committee_name !~ '[\u0001-\u001f\u007f-\u009f]'),
  time_slot        text COLLATE "C" CHECK (time_slot ~ '^([01]\d|2[0-3]):[0-5]\d(-([01]\d|2[0-3]):[0-5]\d)?$'),
  -- Updated by the triggers below.
  submission_count integer NOT NULL DEFAULT 0 CHECK (submission_count BETWEEN 0 AND 1000),
  created_at       timestamp_text NOT NULL,
  -- As those of `submission`.
  title            title_text,
  source_url       web_url,
  source_id        bigint,
  -- An index has no values of more than 2.6 kB.
  committee_name_start text COLLATE "C" NOT NULL GENERATED ALWAYS AS (substr(committee_name, 1, 200)) STORED,
  document         text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"id":' || json_quote(id)
    || ',"committeeName":' || json_quote(committee_name)
    || ',"date":' || json_quote(date)
    || ',"timeSlot":' || json_quote(time_slot)
    || ',"submissionCount":' || submission_count
    || ',"createdAt":' || json_quote(created_at)
    || '}'
  ) STORED,
  PRIMARY KEY (organization_id, id)
);

CREATE INDEX session_list ON session (organization_id, date DESC, id) WHERE date > '0';
CREATE INDEX session_list_by_committee ON session (organization_id, committee_name_start, date DESC, id)
  WHERE date > '.';

CREATE TABLE session_submission (
  organization_id text COLLATE "C" NOT NULL,
  session_id      uuid_text NOT NULL,
  position        integer NOT NULL CHECK (position BETWEEN 0 AND 999),
  submission_id   uuid_text NOT NULL,
  PRIMARY KEY (organization_id, session_id, position),
  UNIQUE (organization_id, submission_id, session_id),
  FOREIGN KEY (organization_id, session_id) REFERENCES session (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, submission_id) REFERENCES submission (organization_id, id) ON DELETE CASCADE
);

-- Runs once per statement, so that an import updates a session once for an agenda of any length.
CREATE FUNCTION update_submission_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  difference text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT organization_id, session_id, count(*) AS entries FROM added GROUP BY 1, 2'
    WHEN 'DELETE' THEN 'SELECT organization_id, session_id, -count(*) AS entries FROM removed GROUP BY 1, 2'
    ELSE 'SELECT organization_id, session_id, sum(entries) AS entries FROM (
        SELECT organization_id, session_id, 1 AS entries FROM added
        UNION ALL SELECT organization_id, session_id, -1 FROM removed
      ) AS moved GROUP BY 1, 2 HAVING sum(entries) <> 0'
  END;
BEGIN
  EXECUTE format(
    'UPDATE %I AS session SET submission_count = submission_count + entries FROM (%s) AS by_session
    WHERE session.organization_id = by_session.organization_id AND session.id = by_session.session_id',
    find_table_beside(TG_TABLE_NAME, 'session'), difference);
  RETURN NULL;
END
$$;

CREATE TRIGGER session_submission_added AFTER INSERT ON session_submission
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION update_submission_count();
CREATE TRIGGER session_submission_removed AFTER DELETE ON session_submission
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION update_submission_count();
CREATE TRIGGER session_submission_moved AFTER UPDATE ON session_submission
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION update_submission_count();

CREATE TABLE survey (
  organization_id text COLLATE "C" NOT NULL REFERENCES change_history (organization_id) ON DELETE CASCADE,
  id              uuid_text NOT NULL,
  title           text COLLATE "C" NOT NULL CHECK (length(title) BETWEEN 1 AND 1000),
  status          short_text NOT NULL,
  total_responses integer NOT NULL CHECK (total_responses >= 0),
  source_id       bigint,
  document        text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"surveyId":' || json_quote(id)
    || ',"title":' || json_quote(title)
    || ',"status":' || json_quote(status)
    || ',"totalResponses":' || total_responses
    || '}'
  ) STORED,
  summary         text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"id":' || json_quote(id)
    || ',"title":' || json_quote(title)
    || ',"status":' || json_quote(status)
    || ',"totalResponses":' || total_responses
    || '}'
  ) STORED,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE survey_question (
  organization_id text COLLATE "C" NOT NULL,
  survey_id       uuid_text NOT NULL,
  position        integer NOT NULL CHECK (position BETWEEN 0 AND 999),
  question_text   text COLLATE "C" NOT NULL CHECK (length(question_text) BETWEEN 1 AND 100000),
  question_type   short_text NOT NULL,
  document        text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"questionText":' || json_quote(question_text) || ',"questionType":' || json_quote(question_type) || '}'
  ) STORED,
  PRIMARY KEY (organization_id, survey_id, position),
  FOREIGN KEY (organization_id, survey_id) REFERENCES survey (organization_id, id) ON DELETE CASCADE
);

CREATE TABLE survey_option (
  organization_id   text COLLATE "C" NOT NULL,
  survey_id         uuid_text NOT NULL,
  question_position integer NOT NULL,
  position          integer NOT NULL CHECK (position BETWEEN 0 AND 999),
  option_text       text COLLATE "C" NOT NULL CHECK (length(option_text) BETWEEN 1 AND 1000),
  response_count    integer NOT NULL CHECK (response_count >= 0),
  document          text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    '{"optionText":' || json_quote(option_text) || ',"responseCount":' || response_count || '}'
  ) STORED,
  PRIMARY KEY (organization_id, survey_id, question_position, position),
  FOREIGN KEY (organization_id, survey_id, question_position)
    REFERENCES survey_question (organization_id, survey_id, position) ON DELETE CASCADE
);

-- The latest change of each object that is or was published; removed objects have no other row. Written by the triggers
-- below, so that writes of every program are logged. The values are those of checked columns, so they need no checks, and
-- a trigger replaces the foreign key, which would check each row.
CREATE TABLE change (
  organization_id text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  id              text COLLATE "C" NOT NULL,
  sequence        bigint NOT NULL,
  -- Time of the change; only of sessions, for calendars.
  changed_at      timestamp_text,
  PRIMARY KEY (organization_id, kind, id)
);

CREATE INDEX change_list ON change (organization_id, sequence);
CREATE INDEX change_list_by_kind ON change (organization_id, kind, sequence);

-- Numbers of the latest change at some times, so that the age of a removal is known. Written by `rostra prune`.
CREATE TABLE change_checkpoint (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  at              timestamp_text NOT NULL,
  sequence        bigint NOT NULL,
  PRIMARY KEY (organization_id, at)
);

CREATE FUNCTION remove_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  municipality text := coalesce(current_setting('rostra.organization_id', true), '');
BEGIN
  PERFORM set_config('rostra.organization_id', old.organization_id, true);
  EXECUTE format('DELETE FROM %I WHERE organization_id = $1', find_table_beside(TG_TABLE_NAME, 'change'))
  USING old.organization_id;
  PERFORM set_config('rostra.organization_id', municipality, true);
  RETURN NULL;
END
$$;

CREATE TRIGGER remove_changes AFTER DELETE ON change_history FOR EACH ROW EXECUTE FUNCTION remove_changes();

-- The lock of the row in `change_history` lasts until the transaction ends, so sequences have the order of the commits. While
-- a municipality is removed, this row is missing already, and nothing is logged.
CREATE FUNCTION log_changes(trigger_table text, changed_kind text, organization_ids text[], ids text[])
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
  USING changed_kind, organization_ids, ids,
    CASE WHEN changed_kind = 'session' THEN to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END;
END
$$;

-- For submissions and sessions. A longer or shorter agenda changes the session's document too.
CREATE FUNCTION log_changed_objects() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := substring(TG_TABLE_NAME FROM '^[a-z]+');
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM removed;
  ELSE
    PERFORM log_changes(TG_TABLE_NAME, kind, array_agg(organization_id), array_agg(id)) FROM (
      SELECT organization_id, id FROM (
        (SELECT organization_id, id, document, title, source_url FROM added
          EXCEPT SELECT organization_id, id, document, title, source_url FROM removed)
      ) AS changed
      UNION (SELECT organization_id, id FROM removed EXCEPT SELECT organization_id, id FROM added)
    ) AS changed;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION log_changed_agendas() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM log_changes(TG_TABLE_NAME, 'session', array_agg(organization_id), array_agg(session_id)) FROM (
    SELECT DISTINCT organization_id, session_id FROM (
      (TABLE added EXCEPT TABLE removed) UNION ALL (TABLE removed EXCEPT TABLE added)
    ) AS changed
  ) AS changed;
  RETURN NULL;
END
$$;

-- Drafts are not published, so their changes are not logged.
CREATE FUNCTION log_changed_surveys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM log_changes(TG_TABLE_NAME, 'survey', array_agg(organization_id), array_agg(id)) FROM added WHERE status <> 'draft';
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM log_changes(TG_TABLE_NAME, 'survey', array_agg(organization_id), array_agg(id)) FROM removed WHERE status <> 'draft';
  ELSE
    PERFORM log_changes(TG_TABLE_NAME, 'survey', array_agg(organization_id), array_agg(id)) FROM (
      SELECT DISTINCT organization_id, id FROM (
        (SELECT organization_id, id, status, document FROM added
          EXCEPT SELECT organization_id, id, status, document FROM removed)
        UNION ALL (SELECT organization_id, id, status, document FROM removed
          EXCEPT SELECT organization_id, id, status, document FROM added)
      ) AS changed WHERE status <> 'draft'
    ) AS changed;
  END IF;
  RETURN NULL;
END
$$;

-- Each statement of this function sees what was committed before it began. So after it has the municipality's lock, it sees
-- a draft that a concurrent transaction published.
CREATE FUNCTION log_results(trigger_table text, organization_ids text[], survey_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  published_organization_ids text[];
  published_ids text[];
BEGIN
  EXECUTE format('SELECT FROM %I WHERE organization_id = ANY ($1) FOR NO KEY UPDATE',
    find_table_beside(trigger_table, 'change_history'))
  USING organization_ids;
  EXECUTE format(
    'SELECT array_agg(organization_id), array_agg(id) FROM %I
    WHERE status <> ''draft'' AND (organization_id, id) IN (SELECT * FROM unnest($1, $2))',
    find_table_beside(trigger_table, 'survey'))
  INTO published_organization_ids, published_ids USING organization_ids, survey_ids;
  PERFORM log_changes(trigger_table, 'survey', published_organization_ids, published_ids);
END
$$;

-- For questions and options.
CREATE FUNCTION log_changed_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM log_results(TG_TABLE_NAME, array_agg(organization_id), array_agg(survey_id)) FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM log_results(TG_TABLE_NAME, array_agg(organization_id), array_agg(survey_id)) FROM removed;
  ELSE
    PERFORM log_results(TG_TABLE_NAME, array_agg(organization_id), array_agg(survey_id))
    FROM ((TABLE added EXCEPT TABLE removed) UNION ALL (TABLE removed EXCEPT TABLE added)) AS changed;
  END IF;
  RETURN NULL;
END
$$;

-- Gives every municipality a new history, within row-level security.
CREATE FUNCTION restart_change_histories() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  municipality text := coalesce(current_setting('rostra.organization_id', true), '');
  restarted text;
BEGIN
  FOR restarted IN SELECT id FROM organization LOOP
    PERFORM set_config('rostra.organization_id', restarted, true);
    UPDATE change_history SET history_id = gen_random_uuid()::text WHERE organization_id = restarted;
  END LOOP;
  PERFORM set_config('rostra.organization_id', municipality, true);
END
$$;

-- The deletions of a TRUNCATE are not logged, so clients start anew. Only a superuser can truncate a shard.
CREATE FUNCTION restart_change_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  histories text := find_table_beside(TG_TABLE_NAME, 'change_history');
BEGIN
  IF histories = 'change_history' THEN
    PERFORM restart_change_histories();
  ELSE
    EXECUTE format('UPDATE %I SET history_id = gen_random_uuid()::text', histories);
  END IF;
  RETURN NULL;
END
$$;

-- A walk from the beginning reads this table, so without its rows clients would lose all objects.
-- Row-level security hides the rows of `change_history`, but not its size.
CREATE FUNCTION keep_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_relation_size(find_table_beside(TG_TABLE_NAME, 'change_history')::regclass) > 0 THEN
    RAISE EXCEPTION 'The table change lists all published objects. It is emptied with the table organization only.';
  END IF;
  RETURN NULL;
END
$$;

-- The owner sees no rows without the setting of row-level security, but can truncate.
CREATE FUNCTION remove_all_published_data() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE change_history CASCADE;
  TRUNCATE change;
  RETURN NULL;
END
$$;

CREATE TRIGGER submission_added AFTER INSERT ON submission REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_objects();
CREATE TRIGGER submission_changed AFTER UPDATE ON submission REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_objects();
CREATE TRIGGER submission_removed AFTER DELETE ON submission REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_objects();
CREATE TRIGGER session_added AFTER INSERT ON session REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_objects();
CREATE TRIGGER session_changed AFTER UPDATE ON session REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_objects();
CREATE TRIGGER session_removed AFTER DELETE ON session REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_objects();
CREATE TRIGGER session_submission_changed AFTER UPDATE ON session_submission
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_changed_agendas();
CREATE TRIGGER survey_added AFTER INSERT ON survey REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_surveys();
CREATE TRIGGER survey_changed AFTER UPDATE ON survey REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_surveys();
CREATE TRIGGER survey_removed AFTER DELETE ON survey REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_surveys();
CREATE TRIGGER survey_question_added AFTER INSERT ON survey_question REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_results();
CREATE TRIGGER survey_question_changed AFTER UPDATE ON survey_question REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_results();
CREATE TRIGGER survey_question_removed AFTER DELETE ON survey_question REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_results();
CREATE TRIGGER survey_option_added AFTER INSERT ON survey_option REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_results();
CREATE TRIGGER survey_option_changed AFTER UPDATE ON survey_option REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_results();
CREATE TRIGGER survey_option_removed AFTER DELETE ON survey_option REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION log_changed_results();
CREATE TRIGGER restart_change_history AFTER TRUNCATE ON submission
  FOR EACH STATEMENT EXECUTE FUNCTION restart_change_history();
CREATE TRIGGER restart_change_history AFTER TRUNCATE ON session
  FOR EACH STATEMENT EXECUTE FUNCTION restart_change_history();
CREATE TRIGGER restart_change_history AFTER TRUNCATE ON session_submission
  FOR EACH STATEMENT EXECUTE FUNCTION restart_change_history();
CREATE TRIGGER restart_change_history AFTER TRUNCATE ON survey
  FOR EACH STATEMENT EXECUTE FUNCTION restart_change_history();
CREATE TRIGGER restart_change_history AFTER TRUNCATE ON survey_question
  FOR EACH STATEMENT EXECUTE FUNCTION restart_change_history();
CREATE TRIGGER restart_change_history AFTER TRUNCATE ON survey_option
  FOR EACH STATEMENT EXECUTE FUNCTION restart_change_history();
CREATE TRIGGER keep_changes BEFORE TRUNCATE ON change
  FOR EACH STATEMENT EXECUTE FUNCTION keep_changes();
CREATE TRIGGER remove_all_published_data AFTER TRUNCATE ON organization
  FOR EACH STATEMENT EXECUTE FUNCTION remove_all_published_data();

-- Row-level security: a query without its municipality predicate returns no rows of other municipalities. The setting ends
-- with its transaction. Without it, the tables appear empty.
CREATE POLICY tenant ON change_history USING (organization_id = current_setting('rostra.organization_id', true));
-- The trigger `begin_change_history`: on Citus it cannot set the municipality on the worker.
CREATE POLICY new_organization ON change_history FOR INSERT WITH CHECK (true);
CREATE POLICY tenant ON submission USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON session USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON session_submission USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON survey USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON survey_question USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON survey_option USING (organization_id = current_setting('rostra.organization_id', true));
CREATE POLICY tenant ON change USING (organization_id = current_setting('rostra.organization_id', true));
ALTER TABLE change_history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE submission ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE session ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE session_submission ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE survey ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE survey_question ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE survey_option ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE change ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- The update of `data_version` itself does not fire it.
CREATE TRIGGER touch_data_version AFTER UPDATE OF
    name, time_zone, license_name, license_url, contact_name, contact_email, contact_url, attribution,
    logo_digest, logo_media_type, logo_width, logo_height ON organization
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
CREATE TRIGGER touch_data_version AFTER UPDATE OF history_id, pruned_sequence ON change_history
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
CREATE TRIGGER touch_data_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON submission
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
CREATE TRIGGER touch_data_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON session
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
CREATE TRIGGER touch_data_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON session_submission
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
CREATE TRIGGER touch_data_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON survey
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
CREATE TRIGGER touch_data_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON survey_question
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();
CREATE TRIGGER touch_data_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON survey_option
  FOR EACH STATEMENT EXECUTE FUNCTION touch_data_version();

-- `secret_hash` is SHA-256 of the key; the key itself is not stored. The hash is unique across municipalities, because a
-- request determines its municipality by the hash. For the same reason this table has no policy.
CREATE TABLE api_key (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id              uuid_text NOT NULL,
  secret_hash     bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  prefix          text COLLATE "C" NOT NULL CHECK (prefix ~ '^sk_[0-9A-Za-z_]{13}$'),
  name            short_text NOT NULL,
  request_limit   integer CHECK (request_limit >= 1),
  created_at      timestamp_text NOT NULL,
  expires_at      timestamp_text,
  revoked_at      timestamp_text,
  -- E-mail address of an account, or the name of the command line.
  created_by      text COLLATE "C" NOT NULL CHECK (length(created_by) BETWEEN 1 AND 254),
  contact         short_text,
  purpose         text COLLATE "C" CHECK (
    length(purpose) BETWEEN 1 AND 500 AND purpose !~ '[\u0001-\u001f\u007f-\u009f]'
  ),
  -- The key that this key replaced. No foreign key, because a copy writes keys in the order of their ids.
  predecessor_id  uuid_text CHECK (predecessor_id <> id),
  PRIMARY KEY (organization_id, id),
  -- A key has at most one successor.
  UNIQUE (organization_id, predecessor_id)
);

CREATE INDEX api_key_by_prefix ON api_key (prefix);
-- For the list of the keys of all municipalities.
CREATE INDEX api_key_by_creation ON api_key (created_at DESC, id);
-- For e-mails about keys that expire soon.
CREATE INDEX api_key_by_expiry ON api_key (expires_at, organization_id, id)
  WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

-- Used requests in the current window of each key. The fill factor leaves space for updates within the same page.
CREATE TABLE rate_window (
  organization_id text COLLATE "C" NOT NULL
    CHECK (organization_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  key_id          uuid_text NOT NULL,
  window_start_ms bigint NOT NULL,
  used            integer NOT NULL,
  -- Requests that the last statement granted, and the limit that it used.
  granted         integer NOT NULL DEFAULT 0,
  request_limit   integer NOT NULL DEFAULT 0,
  last_used_at_ms bigint NOT NULL,
  PRIMARY KEY (organization_id, key_id)
) WITH (fillfactor = 50);

-- Requests of each key on each day (UTC). Counted in memory and added periodically.
CREATE TABLE key_usage_daily (
  organization_id text COLLATE "C" NOT NULL
    CHECK (organization_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  key_id          uuid_text NOT NULL,
  day             calendar_date NOT NULL,
  -- Operation ID of the API, or 'unknown'.
  operation       text COLLATE "C" NOT NULL CHECK (length(operation) BETWEEN 1 AND 100),
  -- 401: requests while the key was revoked or expired.
  status          integer NOT NULL CHECK (status BETWEEN 100 AND 599),
  requests        bigint NOT NULL CHECK (requests > 0),
  PRIMARY KEY (organization_id, key_id, day, operation, status)
) WITH (fillfactor = 80);

CREATE INDEX key_usage_daily_by_day ON key_usage_daily (day, organization_id, status) INCLUDE (requests);
CREATE INDEX key_usage_daily_over_limit ON key_usage_daily (day) WHERE status = 429;

-- The latest rejected requests of each key, without paths and values of parameters.
CREATE TABLE rejected_request (
  organization_id text COLLATE "C" NOT NULL
    CHECK (organization_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  key_id          uuid_text NOT NULL,
  at              timestamp_text NOT NULL,
  id              uuid_text NOT NULL,
  operation       text COLLATE "C" NOT NULL CHECK (length(operation) BETWEEN 1 AND 100),
  status          integer NOT NULL CHECK (status BETWEEN 400 AND 599),
  message         text COLLATE "C" NOT NULL CHECK (length(message) BETWEEN 1 AND 500),
  parameter       text COLLATE "C" CHECK (length(parameter) <= 100),
  PRIMARY KEY (organization_id, key_id, at, id)
);

CREATE INDEX rejected_request_by_time ON rejected_request (at);

-- Secrets that sign cursors. The newest signs; the one before it is still accepted.
CREATE TABLE cursor_secret (
  generation integer NOT NULL PRIMARY KEY,
  secret     bytea NOT NULL CHECK (length(secret) = 32),
  created_at timestamp_text NOT NULL
);

-- The last run of each kind of maintenance, such as a backup, for monitoring.
CREATE TABLE maintenance_run (
  kind            text COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(kind) BETWEEN 1 AND 100),
  started_at      timestamp_text NOT NULL,
  finished_at     timestamp_text NOT NULL,
  outcome         text COLLATE "C" NOT NULL CHECK (outcome IN ('succeeded', 'failed')),
  -- JSON object.
  detail          text COLLATE "C" NOT NULL CHECK (length(detail) <= 10000),
  -- End of the last run that succeeded; null: none.
  last_success_at timestamp_text
);

-- Accounts of the admin area. Operators may act for every municipality, the others only where they have a role.
CREATE TABLE account (
  id              uuid_text NOT NULL PRIMARY KEY,
  email           text COLLATE "C" NOT NULL UNIQUE
    CHECK (length(email) BETWEEN 3 AND 254 AND email ~ '^[^@].*@[^@]' AND email !~ '[\u0001-\u0020\u007f-\u009f]'),
  is_operator     integer NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
  -- Language of e-mails, such as "de"; null if unknown.
  language        text COLLATE "C" CHECK (length(language) BETWEEN 2 AND 35),
  -- Argon2id in PHC string format; null: no password, so only single sign-on is possible.
  password_hash   text COLLATE "C" CHECK (password_hash LIKE '$argon2id$%'),
  totp_secret     bytea CHECK (length(totp_secret) >= 16),
  -- The last time step whose code was accepted (RFC 6238). Each code is valid once.
  totp_step       bigint NOT NULL DEFAULT 0,
  -- SHA-256 of the account's id and each unused recovery code, one after the other.
  recovery_codes  bytea NOT NULL DEFAULT '' CHECK (length(recovery_codes) % 32 = 0),
  -- Identity at the OpenID Connect provider, set by the first sign-in there.
  oidc_issuer     text COLLATE "C",
  oidc_subject    text COLLATE "C",
  created_at      timestamp_text NOT NULL,
  created_by      text COLLATE "C" NOT NULL CHECK (length(created_by) BETWEEN 1 AND 254)
);

CREATE INDEX account_operator ON account (email) WHERE is_operator = 1;

-- Roles of accounts in municipalities. An account without a role, which is not an operator's, cannot be used.
CREATE TABLE account_role (
  organization_id uuid_text NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  account_id      uuid_text NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  role            text COLLATE "C" NOT NULL CHECK (role IN ('reader', 'administrator')),
  PRIMARY KEY (organization_id, account_id)
);

CREATE INDEX account_role_by_account ON account_role (account_id);

-- One-time links to set a password, one per account and kind. `token_hash` is SHA-256 of the secret in the link.
CREATE TABLE invitation (
  account_id uuid_text NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  -- 1 for a forgotten password. Anybody can ask for such a link, so it does not replace one that an administrator created.
  keeps_second_factor integer NOT NULL CHECK (keeps_second_factor IN (0, 1)),
  token_hash          bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  expires_at_ms       bigint NOT NULL,
  PRIMARY KEY (account_id, keeps_second_factor)
);

-- Browsers that have signed in with an account. `token_hash` is SHA-256 of the secret in the cookie.
CREATE TABLE login_session (
  token_hash            bytea NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
  id                    uuid_text NOT NULL UNIQUE,
  account_id      uuid_text NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  -- 1 until the second factor is entered.
  pending_second_factor integer NOT NULL CHECK (pending_second_factor IN (0, 1)),
  created_at_ms         bigint NOT NULL,
  last_seen_at_ms       bigint NOT NULL,
  -- Last time the password was entered here or at the OpenID Connect provider.
  reauthenticated_at_ms bigint NOT NULL,
  address               text COLLATE "C" NOT NULL CHECK (length(address) <= 254),
  browser               text COLLATE "C" NOT NULL CHECK (length(browser) <= 254)
);

CREATE INDEX login_session_by_account ON login_session (account_id, created_at_ms);

-- Limited attempts, such as password attempts of one account.
CREATE TABLE attempt (
  name            text COLLATE "C" NOT NULL PRIMARY KEY,
  window_start_ms bigint NOT NULL,
  used            integer NOT NULL
);

CREATE INDEX attempt_by_window ON attempt (window_start_ms);

-- E-mails to accounts, without their texts: these are composed from the current data when they are sent. One row for each
-- event and recipient, so that concurrent processes send a message once.
CREATE TABLE mail_message (
  -- Empty if the event concerns the whole installation.
  organization_id text COLLATE "C" NOT NULL,
  account_id      uuid_text NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  kind            text COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  -- Id of the key; empty for imports and maintenance.
  subject_id      text COLLATE "C" NOT NULL CHECK (length(subject_id) <= 36),
  -- Distinguishes events of the same subject, such as the day of an expiry.
  event           text COLLATE "C" NOT NULL CHECK (length(event) BETWEEN 1 AND 100),
  state           text COLLATE "C" NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'void')),
  created_at_ms   bigint NOT NULL,
  -- Time of the next attempt. While a process sends the message: end of its lease.
  due_at_ms       bigint NOT NULL,
  lease_token     uuid_text,
  attempts        integer NOT NULL DEFAULT 0,
  ended_at_ms     bigint,
  -- Reason why the last attempt failed.
  error           text COLLATE "C" CHECK (length(error) <= 1000),
  PRIMARY KEY (account_id, organization_id, kind, subject_id, event),
  CHECK ((state = 'queued') = (ended_at_ms IS NULL))
);

CREATE INDEX mail_message_queue ON mail_message (due_at_ms) WHERE state = 'queued';
CREATE INDEX mail_message_by_creation ON mail_message (created_at_ms);

-- Kinds of e-mails that an account switched off, and the secrets of the links that do so.
CREATE TABLE notification_setting (
  account_id        uuid_text NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  kind              text COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  enabled           integer NOT NULL CHECK (enabled IN (0, 1)),
  unsubscribe_token text COLLATE "C" NOT NULL UNIQUE CHECK (length(unsubscribe_token) = 43),
  PRIMARY KEY (account_id, kind)
);

-- Files to which `rostra prune` wrote entries of the audit log, before it removed them.
CREATE TABLE audit_export (
  -- Name without the folder.
  file        text COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(file) BETWEEN 1 AND 200),
  -- Times of the first and the last entry.
  first_at    timestamp_text NOT NULL,
  last_at     timestamp_text NOT NULL CHECK (last_at >= first_at),
  entries     bigint NOT NULL CHECK (entries > 0),
  -- Of the file, hexadecimal.
  sha256      text COLLATE "C" NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  exported_at timestamp_text NOT NULL
);

-- Audit log. Rows are never changed, not even with the municipality that they concern, and only removed after an export.
CREATE TABLE audit_event (
  organization_id text COLLATE "C" NOT NULL,
  id              uuid_text NOT NULL,
  at              timestamp_text NOT NULL,
  actor           text COLLATE "C" NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  address         text COLLATE "C" NOT NULL CHECK (length(address) <= 254),
  action          text COLLATE "C" NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  -- Name of the subject at that time.
  subject         text COLLATE "C" NOT NULL CHECK (length(subject) <= 1000),
  -- Kind and id of the subject, such as a key; null if it has no page.
  subject_kind    text COLLATE "C" CHECK (length(subject_kind) BETWEEN 1 AND 100),
  subject_id      uuid_text,
  -- JSON array of changed fields with "field", "before" and "after"; null if no field changed.
  changes         text COLLATE "C" CHECK (length(changes) <= 10000),
  PRIMARY KEY (organization_id, id),
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL))
);

-- Every row matches the condition, and only unfiltered lists repeat it. Otherwise the planner of PostgreSQL would prefer
-- these indexes to those of a filter, because they are in the order of the table.
CREATE INDEX audit_event_list ON audit_event (organization_id, at DESC, id) WHERE at > '0001';
CREATE INDEX audit_event_list_of_all ON audit_event (at DESC, id) WHERE at > '0001';
CREATE INDEX audit_event_list_by_actor ON audit_event (organization_id, actor, at DESC, id);
CREATE INDEX audit_event_list_by_action ON audit_event (organization_id, action, at DESC, id);
CREATE INDEX audit_event_by_actor ON audit_event (actor, at DESC, id);
CREATE INDEX audit_event_by_action ON audit_event (action, at DESC, id);
CREATE INDEX audit_event_by_subject ON audit_event (subject_id, at DESC, id) WHERE subject_id IS NOT NULL;

CREATE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit log is append-only.';
END
$$;

CREATE TRIGGER audit_event_unchanged BEFORE UPDATE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change();

CREATE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM removed WHERE NOT EXISTS (
    SELECT 1 FROM audit_export WHERE removed.at BETWEEN first_at AND last_at
  )) THEN
    RAISE EXCEPTION 'The audit log is append-only.';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER audit_event_kept AFTER DELETE ON audit_event REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();

-- Sources of imports. They show which records a source no longer has. `id` is a hash of format and name.
CREATE TABLE import_source (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id              bigint NOT NULL,
  format          text COLLATE "C" NOT NULL CHECK (length(format) BETWEEN 1 AND 100),
  -- Empty for the unnamed source of a format.
  name            text COLLATE "C" NOT NULL CHECK (length(name) <= 4200),
  -- JSON object: licence of the records, as the last definition has it. It stays with them when the definition is removed.
  -- Null: that of the municipality.
  license             text COLLATE "C" CHECK (length(license) <= 5000),
  -- JSON object: redaction policy of the last import, with checksums of custom patterns.
  -- Null before the first import.
  redaction           text COLLATE "C",
  -- Whether a submission of the last complete import had a support count; null if unknown.
  has_support_counts  bigint CHECK (has_support_counts IN (0, 1)),
  -- JSON array of `PersonalDataFinding`, of the last complete import; null if unknown.
  personal_data       text COLLATE "C" CHECK (length(personal_data) <= 200000),
  -- The definition. `options` is null until the source is defined.
  url                 text COLLATE "C" CHECK (length(url) BETWEEN 1 AND 2048),
  interval_ms         bigint CHECK (interval_ms >= 60000),
  -- JSON objects: texts of options by name; kinds, country and patterns.
  options             text COLLATE "C" CHECK (length(options) <= 1100000),
  requested_redaction text COLLATE "C" CHECK (length(requested_redaction) <= 100000),
  time_zone           text COLLATE "C" CHECK (length(time_zone) BETWEEN 1 AND 100),
  max_deleted_percent bigint CHECK (max_deleted_percent BETWEEN 0 AND 100),
  -- State of the runs.
  last_success_at     timestamp_text,
  last_run_id         uuid_text,
  failing_since       timestamp_text,
  failed_at           timestamp_text,
  error               text COLLATE "C" CHECK (length(error) <= 4000),
  failures            bigint NOT NULL DEFAULT 0,
  next_at             timestamp_text,
  stale_at            timestamp_text,
  -- JSON object: `SourceValidators`.
  validators          text COLLATE "C" NOT NULL DEFAULT '{}',
  -- Key of the data portal, encrypted: see src/domain/portal-key.ts. It is sent to this origin only.
  portal_key          bytea CHECK (length(portal_key) <= 8192),
  portal_key_origin   text COLLATE "C" CHECK (length(portal_key_origin) BETWEEN 1 AND 2048),
  PRIMARY KEY (organization_id, id),
  CHECK ((options IS NULL) = (requested_redaction IS NULL)),
  CHECK ((portal_key IS NULL) = (portal_key_origin IS NULL)),
  CHECK (interval_ms IS NULL OR url IS NOT NULL),
  CHECK ((interval_ms IS NULL) = (next_at IS NULL)),
  CHECK ((interval_ms IS NULL) = (stale_at IS NULL))
);

CREATE UNIQUE INDEX import_source_name ON import_source (organization_id, name) WHERE options IS NOT NULL;
CREATE INDEX import_source_due ON import_source (next_at, organization_id, name) WHERE next_at IS NOT NULL;
CREATE INDEX import_source_stale ON import_source (stale_at, organization_id, name) WHERE stale_at IS NOT NULL;
CREATE INDEX import_source_failing ON import_source (failing_since, organization_id, name) WHERE failing_since IS NOT NULL;

-- Mirror of an OParl endpoint: the imported properties of each object as JSON. An incremental run fetches only changed objects,
-- and the import needs all.
CREATE TABLE endpoint_object (
  organization_id text COLLATE "C" NOT NULL,
  source_id       bigint NOT NULL,
  id              text COLLATE "C" NOT NULL CHECK (length(id) BETWEEN 1 AND 2048),
  object          text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, source_id, id),
  FOREIGN KEY (organization_id, source_id) REFERENCES import_source (organization_id, id) ON DELETE CASCADE
);

-- Runs of sources, without dry runs. A run with a token holds the lease of its municipality, and updates `heartbeat_at`
-- periodically. Without a heartbeat for a minute, the lease is free. The history lists runs with an outcome: before it, the run
-- fetches its input.
CREATE TABLE import_run (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  id              uuid_text NOT NULL,
  started_at      timestamp_text NOT NULL,
  heartbeat_at    timestamp_text NOT NULL,
  ended_at        timestamp_text,
  actor           text COLLATE "C" NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  address         text COLLATE "C" NOT NULL CHECK (length(address) <= 254),
  -- Null until it is chosen.
  format          text COLLATE "C" CHECK (length(format) BETWEEN 1 AND 100),
  -- The `import_source`.
  source_id       bigint,
  -- Names of files as the user wrote them, or a URL.
  sources         text COLLATE "C" NOT NULL CHECK (length(sources) <= 1000),
  outcome         text COLLATE "C" CHECK (outcome IN ('running', 'done', 'failed', 'interrupted')),
  lease_token     uuid_text,
  undone_at       timestamp_text,
  failure         text COLLATE "C" CHECK (length(failure) <= 4000),
  -- JSON array of reasons: what the import noticed.
  notes           text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (length(notes) <= 100000),
  read            bigint NOT NULL DEFAULT 0,
  inserted        bigint NOT NULL DEFAULT 0,
  changed         bigint NOT NULL DEFAULT 0,
  unchanged       bigint NOT NULL DEFAULT 0,
  removed         bigint NOT NULL DEFAULT 0,
  ignored         bigint NOT NULL DEFAULT 0,
  rejected        bigint NOT NULL DEFAULT 0,
  -- Of an undone import. Numbers of records: removed and restored by the undo; surveys, which stayed.
  undo_removed    bigint,
  undo_restored   bigint,
  undo_surveys    bigint,
  -- Of runs that were started in the admin area, and of undos there. The step, its state, and why it failed.
  step            text COLLATE "C" NOT NULL DEFAULT 'import' CHECK (step IN ('detection', 'dry_run', 'import', 'undo')),
  state           text COLLATE "C" CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  step_failure    text COLLATE "C" CHECK (length(step_failure) <= 4000),
  -- The stored source that the run imports or undoes; null for a new source.
  source_name     text COLLATE "C" CHECK (length(source_name) BETWEEN 1 AND 100),
  -- The file is on disk, named by the id.
  input_kind      text COLLATE "C" CHECK (input_kind IN ('upload', 'address', 'endpoint')),
  -- Name of the uploaded file, or the URL.
  input_name      text COLLATE "C" CHECK (length(input_name) BETWEEN 1 AND 2048),
  input_bytes     bigint,
  -- The file is deleted at this time; null: there is no file.
  file_expires_at_ms bigint,
  -- JSON objects, see src/domain/run-queue.ts.
  definition      text COLLATE "C",
  detection       text COLLATE "C",
  dry_run         text COLLATE "C",
  progress        text COLLATE "C",
  created_at      timestamp_text,
  created_by      text COLLATE "C" CHECK (length(created_by) BETWEEN 1 AND 254),
  -- Who queued the step, and from where.
  queued_by       text COLLATE "C" CHECK (length(queued_by) BETWEEN 1 AND 254),
  queued_from     text COLLATE "C" CHECK (length(queued_from) <= 254),
  queued_at_ms    bigint,
  -- Processes that ended without a result of the step.
  crashes         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  CHECK ((outcome IS NULL OR outcome = 'running') = (ended_at IS NULL))
);

-- A municipality has at most one lease, and one process that reads a file before its import.
CREATE UNIQUE INDEX import_run_lease ON import_run (organization_id)
  WHERE lease_token IS NOT NULL AND step IN ('import', 'undo');
CREATE UNIQUE INDEX import_run_reading ON import_run (organization_id)
  WHERE lease_token IS NOT NULL AND step IN ('detection', 'dry_run');
CREATE INDEX import_run_queue ON import_run (queued_at_ms) WHERE state = 'queued';
CREATE INDEX import_run_active ON import_run (heartbeat_at) WHERE state = 'running';
CREATE INDEX import_run_of_browser ON import_run (organization_id, created_at DESC, id) WHERE state IS NOT NULL;
CREATE INDEX import_run_by_creation ON import_run (created_at) WHERE state IS NOT NULL;
CREATE INDEX import_run_file ON import_run (file_expires_at_ms) WHERE file_expires_at_ms IS NOT NULL;
-- Covering for the latest run of each municipality.
CREATE INDEX import_run_list ON import_run
  (organization_id, started_at DESC, id, outcome, heartbeat_at, ended_at, rejected, undone_at) WHERE outcome IS NOT NULL;
-- For the command line, which lists the imports of all municipalities, and finds an import by its id.
CREATE INDEX import_run_list_of_all ON import_run (started_at DESC, id) WHERE outcome IS NOT NULL;
CREATE INDEX import_run_list_by_outcome ON import_run (outcome, started_at DESC, id);
CREATE INDEX import_run_by_id ON import_run (id);
CREATE INDEX import_run_by_source ON import_run (organization_id, source_id, started_at DESC, id) WHERE source_id IS NOT NULL;
-- For e-mails about imports that failed or stalled.
CREATE INDEX import_run_failed ON import_run (heartbeat_at, organization_id, id) WHERE outcome IN ('failed', 'running');

-- The first rejected records of each import: location and reason, never the content.
CREATE TABLE import_rejection (
  organization_id text COLLATE "C" NOT NULL,
  run_id          uuid_text NOT NULL,
  position        integer NOT NULL CHECK (position BETWEEN 0 AND 99),
  source          text COLLATE "C" NOT NULL CHECK (length(source) <= 1000),
  line            bigint,
  entry           bigint,
  -- The id in the source.
  record_id       text COLLATE "C" CHECK (length(record_id) <= 200),
  reason          text COLLATE "C" NOT NULL CHECK (length(reason) <= 4000),
  PRIMARY KEY (organization_id, run_id, position),
  FOREIGN KEY (organization_id, run_id) REFERENCES import_run (organization_id, id) ON DELETE CASCADE
);

-- The last import of each source that changed something, so that it can be undone. Kept for 30 days.
CREATE TABLE import_undo (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  -- The `import_source`.
  source_id       bigint NOT NULL,
  run_id          uuid_text NOT NULL,
  -- Time of the first change.
  created_at      timestamp_text NOT NULL,
  -- `discarded`: the removal of a record deleted its rows below.
  state           text COLLATE "C" NOT NULL CHECK (state IN ('available', 'undone', 'discarded')),
  -- JSON objects: the redaction policy of the source before the import, null for a new source; and that of the import.
  redaction_before text COLLATE "C",
  redaction        text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, source_id),
  FOREIGN KEY (organization_id, run_id) REFERENCES import_run (organization_id, id) ON DELETE CASCADE
);

CREATE INDEX import_undo_by_run ON import_undo (organization_id, run_id);
CREATE INDEX import_undo_by_creation ON import_undo (created_at);

-- What the import changed, in order.
CREATE TABLE import_undo_batch (
  organization_id text COLLATE "C" NOT NULL,
  source_id       bigint NOT NULL,
  position        bigint NOT NULL,
  -- The numbers of its changes are above the first and up to the last.
  first_sequence  bigint NOT NULL,
  last_sequence   bigint NOT NULL,
  -- Numbers of records: inserted; changed or removed; surveys, which cannot be undone.
  inserted        bigint NOT NULL,
  replaced        bigint NOT NULL,
  surveys         bigint NOT NULL,
  -- Ids of the inserted records, 16 bytes each.
  inserted_ids    bytea NOT NULL,
  -- Compressed JSON array: the earlier rows of the others, see `UndoStep`.
  steps           bytea NOT NULL,
  PRIMARY KEY (organization_id, source_id, position),
  FOREIGN KEY (organization_id, source_id) REFERENCES import_undo (organization_id, source_id) ON DELETE CASCADE
);

-- Decisions of administrators on single records. They outlast imports and undos.
CREATE TABLE record_decision (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  kind            text COLLATE "C" NOT NULL CHECK (kind IN ('submission', 'session', 'survey')),
  id              uuid_text NOT NULL,
  decision        text COLLATE "C" NOT NULL CHECK (decision IN ('corrected', 'unpublished', 'removed')),
  -- JSON object: the row of the record as its sources last delivered it, of a survey as it was published; null if they no longer
  -- have it, or nothing may be kept.
  record          text COLLATE "C",
  -- JSON object, see `Correction`. It applies again when an unpublished record is published; null without one.
  correction      text COLLATE "C",
  -- JSON array of `OwnChange`.
  own_changes     text COLLATE "C" NOT NULL,
  reason          text COLLATE "C" NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  actor           text COLLATE "C" NOT NULL CHECK (length(actor) BETWEEN 1 AND 254),
  decided_at      timestamp_text NOT NULL,
  PRIMARY KEY (organization_id, kind, id)
);
-- For the files of open data: each server looks for new removals every few seconds.
CREATE INDEX record_decision_removed ON record_decision (decided_at, organization_id) WHERE decision = 'removed';

-- Entries of agendas whose session or submission is unpublished.
CREATE TABLE withheld_agenda_entry (
  organization_id text COLLATE "C" NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
  session_id      uuid_text NOT NULL,
  position        integer NOT NULL CHECK (position BETWEEN 0 AND 999),
  submission_id   uuid_text NOT NULL,
  PRIMARY KEY (organization_id, session_id, position),
  UNIQUE (organization_id, submission_id, session_id)
);
