import { hash } from 'node:crypto';

const rfcPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Any UUID in lower case, as the database stores it. See `uuid_text` in migrations/postgres/0001_schema.sql. */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Versions 1 to 8 of RFC 9562, in any case. The Nil and the Max UUID stand for the absence of an id. */
export const isUuid = (text: string): boolean => rfcPattern.test(text);

/** Version 5 (RFC 9562, section 5.5). @param namespace UUID */
export function createUuidV5(name: string, namespace: string): string {
  const bytes = hash(
    'sha1',
    Buffer.from(`${namespace.replaceAll('-', '')}${Buffer.from(name).toString('hex')}`, 'hex'),
    'buffer',
  );
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return formatUuid(bytes.toString('hex', 0, 16));
}

/** @param hex 32 digits */
export function formatUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

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
