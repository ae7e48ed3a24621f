/**
 * Two fictitious municipalities with every kind of record that the API publishes. Each run generates the same data,
 * byte for byte.
 */
import { type NewLogo, parseLogo } from '../../domain/organizations/logo.ts';
import type { ImportRecord } from '../../domain/records/records.ts';
import { marlowHeath } from './english/marlow-heath-profile.ts';
import { buildSessionRecords, planSessions } from './generate-sessions.ts';
import { generateSubmissions } from './generate-submissions.ts';
import { generateSurveys } from './generate-surveys.ts';
import { lindenau } from './german/lindenau-profile.ts';
import type { MunicipalityProfile } from './municipality-profile.ts';
import { createRandom } from './seeded-random.ts';

export interface DemoMunicipality
  extends Pick<MunicipalityProfile, 'id' | 'name' | 'organization' | 'sourceNames' | 'keyNames'> {
  readLogo(): NewLogo;
  /** Submissions, then the sessions that list them, then surveys. Each call generates them anew. */
  records(): Iterable<ImportRecord>;
}

/** A German town and an English borough. */
export const demoMunicipalities: readonly DemoMunicipality[] = [lindenau, marlowHeath].map((profile) => ({
  id: profile.id,
  name: profile.name,
  organization: profile.organization,
  sourceNames: profile.sourceNames,
  keyNames: profile.keyNames,
  readLogo: () => parseLogo(profile.readLogo()) as NewLogo,
  records: () => generateRecords(profile),
}));

function* generateRecords(profile: MunicipalityProfile): Generator<ImportRecord> {
  const random = createRandom(profile.seed);
  const calendar = planSessions(random, profile);
  // All submissions come before the first session, because each one is put on agendas while it is generated.
  for (const submission of generateSubmissions(random, profile, calendar))
    yield { kind: 'submission', ...submission };
  for (const session of buildSessionRecords(random, profile, [...calendar.values()].flat())) {
    yield { kind: 'session', ...session };
  }
  for (const survey of generateSurveys(random, profile)) yield { kind: 'survey', ...survey };
}
