/** The server of most tutorials: Express and pg, with LIMIT and OFFSET. */
import express from 'express';
import pg from 'pg';

const perPage = 20;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const app = express();

app.get('/organizations/:organizationId/submissions', async (request, response) => {
  const page = Math.max(1, Number.parseInt(String(request.query.page ?? 1), 10) || 1);
  const { rows } = await pool.query(
    `SELECT id, reference_number AS "referenceNumber", description, status,
        topic_category_name AS "topicCategoryName", priority_level AS "priorityLevel",
        support_count AS "supportCount", has_attachments = 1 AS "hasAttachments", protocol_url AS "protocolUrl",
        created_at AS "createdAt", status_changed_at AS "statusChangedAt"
      FROM submission WHERE organization_id = $1 ORDER BY created_at DESC, id LIMIT $2 OFFSET $3`,
    [request.params.organizationId, perPage, (page - 1) * perPage],
  );
  response.json({ data: rows, page });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
