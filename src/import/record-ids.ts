import { v5, validate, version } from 'uuid';

/**
 * What ids of a source are named under: the municipality, or a name of its own for each of several sources whose
 * ids may be alike.
 *
 * @param organizationId UUID
 * @param source the person's name for it; undefined where there is one
 */
export function deriveNamespace(organizationId: string, source: string | undefined): string {
  return source === undefined ? organizationId : v5(source, organizationId);
}

/**
 * Whether the text is a UUID of RFC 9562 with one of its versions 1 to 8, in any case. The Nil and the Max UUID have
 * no version: they stand for the absence of an id.
 */
export function isUuid(text: string): boolean {
  return validate(text) && version(text) >= 1 && version(text) <= 8;
}

/**
 * The id under which a source's record is kept: its own where that is a UUID, else the version 5 UUID (RFC
 * 9562) of namespace and source id in NFC, so that a second import finds the same row.
 */
export function deriveRecordId(namespace: string, sourceId: string): string {
  return isUuid(sourceId) ? sourceId.toLowerCase() : v5(sourceId.normalize('NFC'), namespace);
}
