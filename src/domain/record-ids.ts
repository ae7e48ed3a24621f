import { createUuidV5, isUuid } from './uuid.ts';

/**
 * The objects of an OParl endpoint have the municipality as their namespace: their ids are unique in the world.
 *
 * @param organizationId UUID
 * @param source name that separates sources with the same ids; undefined for a single source
 * @returns the UUID namespace of the ids of a source
 */
export function deriveNamespace(organizationId: string, source: string | undefined): string {
  return source === undefined ? organizationId : createUuidV5(source, organizationId);
}

/**
 * Returns the id of the source if it is a UUID. Otherwise derives a version 5 UUID from the namespace and the id in NFC,
 * so that the next import finds the same record.
 */
export function deriveRecordId(namespace: string, sourceId: string): string {
  return isUuid(sourceId) ? sourceId.toLowerCase() : createUuidV5(sourceId.normalize('NFC'), namespace);
}
