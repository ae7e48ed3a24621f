-- Compatible with 0001.

-- The latest decisions with a status. Those of one day are shown by status.
CREATE INDEX IF NOT EXISTS submission_decided_by_status ON submission (organization_id, status, status_changed_at, id DESC)
  WHERE status IN ('accepted', 'rejected', 'completed') AND status_changed_at LIKE '____-__-__T__:__:__.___Z'
    AND substr(status_changed_at, 6, 2) BETWEEN '01' AND '12' AND substr(status_changed_at, 9, 2) BETWEEN '01' AND '31'
    AND substr(status_changed_at, 12, 2) BETWEEN '00' AND '23';
