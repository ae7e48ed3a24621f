/** Compares the sessions of random calendars with those of a second library. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { reader } from '../../src/ingest/formats/icalendar/icalendar-reader.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { isNightly } from '../support/nightly.ts';
import { createSeededRandom } from '../support/records.ts';
import { listCalendarSessions } from './list-calendar-sessions.ts';
import { createRandomCalendar } from './random-calendar.ts';

const size = isNightly ? 5_000 : 150;

test('random calendars have the sessions that a second library finds, whatever the form of their times', async () => {
  const file = join(createTemporaryFolder({ after }), 'random.ics');
  for (let seed = 0; seed < size; seed += 1) {
    const { content, sessions } = createRandomCalendar(createSeededRandom(seed));
    writeFileSync(file, content);
    assert.deepEqual(
      await listCalendarSessions(reader, file),
      { sessions, problems: [] },
      `seed ${seed}\n${content}`,
    );
  }
});
