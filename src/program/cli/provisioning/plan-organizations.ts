/** Municipalities of a provisioning file. */
import { randomUUID } from 'node:crypto';
import { findPropertyPath } from '../../../contract/resources/organization.ts';
import type { Provisioned } from '../../../domain/installation/provisioning-store.ts';
import {
  defaultSwitch,
  describeTakenSlug,
  findOpenDataProblem,
  openDataProblems,
} from '../../../domain/organizations/open-data.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import {
  defaultTimeZone,
  getFieldValues,
  type OrganizationField,
  organizationFields,
} from '../../../domain/organizations/organization-fields.ts';
import type { Entry, OrganizationEntry } from './file-schema.ts';
import { listFieldChanges, type Plan, pickChanged } from './plan.ts';
import type { Problems } from './read-file.ts';

/** A municipality that exists, or will. */
export interface PlannedOrganization {
  id: string;
  /** As the file has it. */
  name: string;
  isNew: boolean;
}

export interface Planner {
  plan: Plan;
  problems: Problems;
  /** By name, after all renaming. */
  byName: Map<string, PlannedOrganization>;
  byId: Map<string, PlannedOrganization>;
}

/** @returns the municipality of each entry */
export function planOrganizations(
  planner: Planner,
  entries: readonly OrganizationEntry[],
  { organizations: stored, slugs }: Pick<Provisioned, 'organizations' | 'slugs'>,
): Map<OrganizationEntry, PlannedOrganization> {
  const { problems, byName, byId } = planner;
  const storedById = new Map(stored.map((one) => [one.id, one]));
  for (const { id, name } of stored) {
    const known = { id, name, isNew: false };
    byName.set(name, known);
    byId.set(id, known);
  }
  const ownerOfSlug = new Map(slugs.map(({ slug, organizationId }) => [slug, organizationId]));
  const seen = new Set<PlannedOrganization>();
  const planned = new Map<OrganizationEntry, PlannedOrganization>();
  // Municipalities with an id come first, because they may give up a name that another entry uses.
  const hasId = (entry: OrganizationEntry) => entry.values.id !== undefined;
  for (const entry of [...entries.filter(hasId), ...entries.filter((one) => !hasId(one))]) {
    const { id, name = '' } = entry.values;
    const found = id === undefined ? byName.get(name) : byId.get(id);
    const holder = byName.get(name);
    const own = found ?? { id: id ?? randomUUID(), name, isNew: true };
    // Keys and sources of an invalid entry are checked, too.
    planned.set(entry, own);
    if (name === '') continue;
    if (found !== undefined && seen.has(found))
      problems.add(entry.offset, `The municipality ${name} occurs twice.`);
    else if (holder !== undefined && holder !== found)
      problems.add(
        entry.offsets.name ?? entry.offset,
        `Another municipality has the name ${name}: ${holder.id}. Rename it first, or use its id.`,
      );
    else {
      const before = storedById.get(own.id);
      checkOpenData(problems, ownerOfSlug, own.id, entry, before);
      planOrganization(planner.plan, own.id, entry, before);
      byName.delete(own.name);
      own.name = name;
      byName.set(name, own);
      byId.set(own.id, own);
      seen.add(own);
    }
  }
  return planned;
}

function checkOpenData(
  problems: Problems,
  ownerOfSlug: Map<string, string>,
  id: string,
  entry: OrganizationEntry,
  before: Organization | undefined,
): void {
  const { slug } = entry.values;
  if (typeof slug === 'string') {
    if ((ownerOfSlug.get(slug) ?? id) !== id)
      problems.add(entry.offsets.slug ?? entry.offset, describeTakenSlug(slug));
    else ownerOfSlug.set(slug, id);
  }
  const problem = findOpenDataProblem(
    before === undefined ? noTexts : getFieldValues(before),
    listWantedTexts(entry),
  );
  if (problem !== undefined)
    problems.add(entry.offsets.openData ?? entry.offsets.slug ?? entry.offset, openDataProblems[problem]);
}

function planOrganization(
  plan: Plan,
  id: string,
  entry: OrganizationEntry,
  before: Organization | undefined,
): void {
  const wanted = listWantedTexts(entry);
  if (before === undefined) {
    plan.additions.organizations.push({ ...noTexts, ...wanted, id });
    plan.changes.push({ action: 'add', kind: 'organization', name: String(wanted.name) });
    return;
  }
  const fields = listFieldChanges(getFieldValues(before), wanted);
  if (fields.length === 0) {
    plan.unchanged += 1;
    return;
  }
  plan.organizationEdits.push((store) => store.editOrganization(id, pickChanged(fields, wanted)));
  plan.changes.push({ action: 'change', kind: 'organization', name: before.name, fields });
}

const noTexts = {
  ...organizationFields.map(() => null),
  timeZone: defaultTimeZone,
  openData: defaultSwitch,
  openDataIndex: defaultSwitch,
  approval: defaultSwitch,
};

/** The texts that the entry mentions. null for a group removes all of its texts. */
function listWantedTexts({ values }: OrganizationEntry): Partial<Record<OrganizationField, string | null>> {
  const getText = (name: OrganizationField): unknown => {
    const [first, member] = findPropertyPath(name);
    const given = (values as Record<string, unknown>)[first];
    if (member === undefined || given === undefined || given === null) return given;
    return (given as Entry<Record<string, unknown>>).values[member];
  };
  const texts = organizationFields.map(getText);
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}
