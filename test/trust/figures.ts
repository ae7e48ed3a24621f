/** All figures, in the order of the report. */
import type { Figure } from './figure.ts';
import { changedCursors } from './figures/changed-cursors.ts';
import { clockDifferences } from './figures/clock-differences.ts';
import { crossTenantProbes } from './figures/cross-tenant-probes.ts';
import { databaseFailures } from './figures/database-failures.ts';
import { databaseOutages } from './figures/database-outages.ts';
import { exactRateLimits } from './figures/exact-rate-limits.ts';
import { generatedClients } from './figures/generated-clients.ts';
import { hostileInputs } from './figures/hostile-inputs.ts';
import { interruptedImports } from './figures/interrupted-imports.ts';
import { keylessLoad } from './figures/keyless-load.ts';
import { kills } from './figures/kills.ts';
import { malformedRequests } from './figures/malformed-requests.ts';
import { memory } from './figures/memory.ts';
import { mutations, mutationsOfRooms } from './figures/mutations.ts';
import { openapiFuzz } from './figures/openapi-fuzz.ts';
import { pagesByStatistics } from './figures/pages-by-statistics.ts';
import { randomCalendars } from './figures/random-calendars.ts';
import { randomPlaces } from './figures/random-places.ts';
import { removedBarriers } from './figures/removed-barriers.ts';
import { removedRecords } from './figures/removed-records.ts';
import { restoreDrills } from './figures/restore-drills.ts';
import { revocations } from './figures/revocations.ts';
import { rollingRestarts } from './figures/rolling-restarts.ts';
import { signInGuesses } from './figures/sign-in-guesses.ts';
import { slowSockets } from './figures/slow-sockets.ts';
import { surveyQuestionnaires } from './figures/survey-questionnaires.ts';
import { surveySequences } from './figures/survey-sequences.ts';
import { takeDowns } from './figures/take-downs.ts';
import { traversals } from './figures/traversals.ts';
import { unreadPipelines } from './figures/unread-pipelines.ts';

export const figures: readonly Figure[] = [
  openapiFuzz,
  malformedRequests,
  crossTenantProbes,
  removedBarriers,
  kills,
  exactRateLimits,
  clockDifferences,
  traversals,
  changedCursors,
  revocations,
  databaseFailures,
  memory,
  slowSockets,
  rollingRestarts,
  mutations,
  restoreDrills,
  generatedClients,
  signInGuesses,
  hostileInputs,
  unreadPipelines,
  pagesByStatistics,
  interruptedImports,
  surveySequences,
  databaseOutages,
  takeDowns,
  keylessLoad,
  randomCalendars,
  removedRecords,
  surveyQuestionnaires,
  mutationsOfRooms,
  randomPlaces,
];

export function findFigure(number: number): Figure {
  const figure = figures.find((candidate) => candidate.number === number);
  if (figure === undefined) throw new Error(`no figure has the number ${number}`);
  return figure;
}
