/**
 * Two made-up municipalities with everything the API publishes, for trying it out. The data is the same,
 * byte for byte, at every run.
 */
import type { ImportRecord } from '../domain/store.ts';
import { planSessions, sessionRecords } from './council-sessions.ts';
import { marlowHeath } from './english/town.ts';
import { lindenau } from './german/town.ts';
import { createRandom } from './seeded-random.ts';
import { writeSubmissions } from './submissions.ts';
import { countSurveys } from './surveys.ts';
import type { Town } from './town.ts';

export interface DemoMunicipality {
  id: string;
  name: string;
  /** Submissions first, then the sessions that name them, then surveys. Every call starts anew. */
  records(): Iterable<ImportRecord>;
}

/** A German town and an English-speaking borough. */
export const demoMunicipalities: readonly DemoMunicipality[] = [lindenau, marlowHeath].map((town) => ({
  id: town.id,
  name: town.name,
  records: () => records(town),
}));

function* records(town: Town): Generator<ImportRecord> {
  const random = createRandom(town.seed);
  const calendar = planSessions(random, town);
  // Written as a whole before the first session, because a submission's place on an agenda decides its status.
  for (const submission of writeSubmissions(random, town, calendar))
    yield { kind: 'submission', ...submission };
  for (const session of sessionRecords(random, [...calendar.values()].flat())) {
    yield { kind: 'session', ...session };
  }
  for (const survey of countSurveys(random, town)) yield { kind: 'survey', ...survey };
}
