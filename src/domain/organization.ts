/** A municipality. Fields have the names of the API, and its types. */
export interface Organization {
  id: string;
  name: string;
  /** IANA name. Imports read times without an offset in this time zone. */
  timeZone: string;
  /** At least one of the members is not null. */
  license: { name: string | null; url: string | null } | null;
  /** At least one of the members is not null. */
  contact: { name: string | null; email: string | null; url: string | null } | null;
  attribution: string | null;
  createdAt: string;
}

/** New values by field; null removes a value. Absent fields stay as they are. */
export interface OrganizationChanges {
  name?: string;
  timeZone?: string;
  licenseName?: string | null;
  licenseUrl?: string | null;
  contactName?: string | null;
  contactEmail?: string | null;
  contactUrl?: string | null;
  attribution?: string | null;
}

/** The values of the editable fields; null if not set. */
export function getFieldValues({
  name,
  timeZone,
  license,
  contact,
  attribution,
}: Organization): Record<keyof OrganizationChanges, string | null> {
  return {
    name,
    timeZone,
    licenseName: license?.name ?? null,
    licenseUrl: license?.url ?? null,
    contactName: contact?.name ?? null,
    contactEmail: contact?.email ?? null,
    contactUrl: contact?.url ?? null,
    attribution,
  };
}

/** Counts of the records and keys of a municipality. */
export interface OrganizationSummary extends Organization {
  submissions: number;
  sessions: number;
  surveys: number;
  activeKeys: number;
}
