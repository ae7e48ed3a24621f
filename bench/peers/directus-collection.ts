/**
 * A copy of the submissions as a collection of Directus, in a schema of its own, because Directus needs a primary key
 * of one column. Names, types and the index are those that a team would choose for Directus.
 */
import { type Database, query } from './expected-page.ts';

export const schema = 'rostra_peer_directus';

export const createSchema = (database: Database) =>
  query(database, `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);

export const dropSchema = (database: Database) => query(database, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);

/** Id of the policy for anonymous users, the same in every installation. */
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';

/** Call it after Directus has created its own tables. */
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
