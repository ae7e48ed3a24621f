import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listCalendarSessions } from '../../formats/list-calendar-sessions.ts';
import { createRandomCalendar } from '../../formats/random-calendar.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createSeededRandom } from '../../support/records.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { add, fail, formatCount, formatNumber, getCount } from '../tally.ts';

async function start({ program, scope, tally }: FigureRun): Promise<Measurement> {
  const file = join(dirname(program), 'ingest/formats/icalendar/icalendar-reader.ts');
  const { reader } = await import(pathToFileURL(file).href);
  const name = join(createTemporaryFolder(scope), 'random.ics');
  return {
    measure: async (first, count) => {
      for (let seed = first; seed < first + count; seed += 1) {
        const { content, sessions } = createRandomCalendar(createSeededRandom(seed));
        writeFileSync(name, content);
        const found = await listCalendarSessions(reader, name);
        add(tally, 'sessions', found.sessions.length);
        if (found.problems.length > 0 || found.sessions.join() !== sessions.join())
          fail(tally, `seed ${seed}: ${found.sessions.length} sessions instead of ${sessions.length}`);
      }
    },
  };
}

export const randomCalendars: Figure = {
  number: 28,
  promise:
    'Random calendars with repetitions, exceptions, additions, and moved, cancelled and private repetitions in each form of a time have exactly the sessions that a second library finds. A first date outside of the rule is left out of the comparison: the second library does not count it.',
  unit: 'calendars',
  fullSize: 100_000,
  minSize: 100,
  batchSize: 100,
  engines: ['sqlite'],
  minutes: 15,
  defect: {
    description: 'a time without a zone is in UTC, and not in the zone of the series',
    edits: [
      {
        file: 'src/ingest/formats/icalendar/expand-event.ts',
        from: 'readTimes(property, { findZone, defaultZone: start.zone })',
        to: "readTimes(property, { findZone, defaultZone: createZone('UTC') })",
      },
    ],
  },
  start,
  conclude: (tally, done) => ({
    measured: `${formatNumber(done)} calendars with ${formatCount(tally, 'sessions')} sessions; ${tally.failureCount} differ`,
    violations: getCount(tally, 'sessions') === 0 ? ['no calendar had a session'] : [],
  }),
};
