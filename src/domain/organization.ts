/** A municipality. */
export interface Organization {
  id: string;
  name: string;
  createdAt: string;
}

/** Counts of the records and keys of a municipality. */
export interface OrganizationSummary extends Organization {
  submissions: number;
  sessions: number;
  surveys: number;
  activeKeys: number;
}
