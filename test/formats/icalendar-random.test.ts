/** Compares the sessions of random calendars with those of a second library. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { reader } from '../../src/import/formats/icalendar-reader.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { isNightly } from '../support/nightly.ts';
import { createSeededRandom } from '../support/records.ts';
import { createRandomCalendar } from './random-calendar.ts';

const size = isNightly ? Number(process.env.ROSTRA_TEST_CALENDARS ?? 10_000) : 150;

test('random calendars have the sessions that a second library finds, whatever the form of their times', async () => {
  const name = join(createTemporaryFolder({ after }), 'random.ics');
  for (let seed = 0; seed < size; seed += 1) {
    const { content, sessions } = createRandomCalendar(createSeededRandom(seed));
    writeFileSync(name, content);
    const notes: unknown[] = [];
    const found: string[] = [];
    const options = {
      ...{ namespace: '00000000-0000-4000-8000-000000000000', timeZone: 'Europe/Berlin' },
      ...{
        signal: new AbortController().signal,
        formatOptions: {},
        sourceName: '',
        observer: { onNote: (note: unknown) => void notes.push(note) },
      },
    };
    for await (const parsed of reader.readRecords(
      [{ name, file: name, size: undefined }],
      options as never,
    )) {
      assert.ok(!('rejectionReason' in parsed), `seed ${seed}: ${JSON.stringify(parsed)}\n${content}`);
      if ('record' in parsed && parsed.record.kind === 'session')
        found.push(`${parsed.record.date}T${parsed.record.timeSlot}`);
    }
    assert.deepEqual(found.toSorted(), sessions, `seed ${seed}\n${content}`);
    assert.deepEqual(notes, [], `seed ${seed}\n${content}`);
  }
});
