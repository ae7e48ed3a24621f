import { v5, validate } from 'uuid';

/**
 * The id under which a source's record is kept: its own where that is a UUID, else the version 5 UUID (RFC
 * 9562) of municipality and source id, so that a second import finds the same row.
 */
export function recordId(organizationId: string, sourceId: string): string {
  return validate(sourceId) ? sourceId.toLowerCase() : v5(sourceId, organizationId);
}
