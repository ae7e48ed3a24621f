/** Changes of an audit event as one line. */
import type { AuditEvent } from '../../src/domain/accounts/audit-log.ts';

/** For example `name: Portal → –`. */
export const describeChanges = (event: Pick<AuditEvent, 'changes'> | undefined): string =>
  (event?.changes ?? [])
    .map(({ field, before, after }) => `${field}: ${before ?? '–'} → ${after ?? '–'}`)
    .join('; ');
