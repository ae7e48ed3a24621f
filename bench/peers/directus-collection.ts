/**
 * The submissions as a collection of Directus, which wants one column as primary key: a copy in a schema beside the
 * tables, with the names, the types and the index that a team would give it there.
 */
import { type Database, query } from './expected-page.ts';

export const schema = 'rostra_peer_directus';

export const createSchema = (database: Database) =>
  query(database, `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);

export const dropSchema = (database: Database) => query(database, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);

/** What every installation calls the policy of those who have not signed in. */
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';

/** Once Directus has made its own tables. */
export const createCollection = (database: Database) =>
  query(
    database,
    `CREATE TABLE ${schema}.submission AS
      SELECT organization_id::text AS "organizationId", id::text, reference_number::text AS "referenceNumber",
        description, status::text, topic_category_name::text AS "topicCategoryName",
        priority_level::text AS "priorityLevel", support_count AS "supportCount",
        has_attachments = 1 AS "hasAttachments", protocol_url AS "protocolUrl", created_at::text AS "createdAt",
        status_changed_at::text AS "statusChangedAt"
      FROM public.submission;
    ALTER TABLE ${schema}.submission ADD PRIMARY KEY (id);
    CREATE INDEX submission_list ON ${schema}.submission ("organizationId", "createdAt" DESC, id);
    ANALYZE ${schema}.submission;
    INSERT INTO ${schema}.directus_permissions (policy, collection, action, permissions, fields)
      VALUES ('${publicPolicy}', 'submission', 'read', '{}', '*')`,
  );
