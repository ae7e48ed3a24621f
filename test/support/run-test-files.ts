/** Runs the test files of a folder in one process, because loading the code takes half a second in each process. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const checkout = join(import.meta.dirname, '../..');

/** A clock that a test has shifted differs by more. The operating system may correct its clock by less. */
const maxClockDriftMs = 1_000;

/** Time for the report of the tests, after which the process ends although something keeps it alive. */
const exitDelayMs = 10_000;

const readProcessState = () => ({
  directory: process.cwd(),
  environment: { ...process.env },
  isClockShifted: Math.abs(Date.now() - performance.timeOrigin - performance.now()) > maxClockDriftMs,
});

/** Runs the files of the folder one after another, each as a test. A file fails if the one before it changed the process. */
export function runTestFiles(folder: string, pattern = '*.test.ts'): void {
  const initialState = readProcessState();
  let previous = '';
  const assertProcessUnchanged = () =>
    assert.deepEqual(readProcessState(), initialState, `${previous} changed the process`);

  for (const file of globSync(join(folder, pattern)).toSorted()) {
    const name = relative(checkout, file);
    test(name, async () => {
      assertProcessUnchanged();
      previous = name;
      await import(pathToFileURL(file).href);
    });
  }

  after(() => {
    assertProcessUnchanged();
    setTimeout(() => {
      console.error('The tests have ended, but these resources are open:', process.getActiveResourcesInfo());
      process.exit(1);
    }, exitDelayMs).unref();
  });
}
