/** Runs test files one after another in one process, because loading the code takes a second in each process. */
import assert from 'node:assert/strict';
import { type AsyncHook, createHook } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isNightly } from './nightly.ts';
import { loadingTitle } from './result-reporter.ts';

/** File descriptor of the pipe from which this process reads the names of the files. */
const namesDescriptor = 4;

/** Ends a test file that waits forever. */
const maxFileMs = isNightly ? 14_400_000 : 900_000;

/** A clock that a test has shifted differs by more. The operating system may correct its clock by less. */
const maxClockDriftMs = 10_000;

/** Time for servers and processes to end after all tests, and then for the report. */
const closingTimeMs = 10_000;

const pollIntervalMs = 20;

/** Tests use the dates of both: the use of keys is counted by the day in UTC, and towns are in Germany. */
const timeZones = ['UTC', 'Europe/Berlin'];

/** No file of the daily suite whose tests use dates takes longer. */
const quietTimeMs = 45_000;

/** Waits until midnight has passed, if it is near: a test that starts before it and ends after it sees two dates. */
async function waitForMidnight(): Promise<void> {
  for (const timeZone of timeZones) {
    const now = Temporal.Now.zonedDateTimeISO(timeZone);
    const untilMs = now.add({ days: 1 }).startOfDay().epochMilliseconds - now.epochMilliseconds;
    if (untilMs < quietTimeMs) await wait(untilMs + pollIntervalMs);
  }
}

/** Remembers the state that all files share. @returns a function that lists the changes since then */
function watchProcess(): () => string[] {
  const directory = process.cwd();
  const environment = { ...process.env };
  return () => {
    const names = Object.keys({ ...environment, ...process.env });
    const changes = names.filter((name) => process.env[name] !== environment[name]);
    if (process.cwd() !== directory) changes.push('working directory');
    const clockDriftMs = Math.abs(Date.now() - performance.timeOrigin - performance.now());
    if (clockDriftMs > maxClockDriftMs) changes.push('clock');
    return changes;
  };
}

/** Without pipes, sockets and terminals, because Node.js also lists those that do not keep the process alive. */
const listOpenResources = () =>
  process.getActiveResourcesInfo().filter((resource) => !/^(Pipe|TCPSocket|TTY)Wrap$/.test(resource));

/**
 * The runner of Node.js follows each promise with an asynchronous hook, to know which test calls `test` or `after`. That takes
 * a quarter of the processor time, and only a file that is being loaded calls them without a `TestContext`.
 *
 * @returns the hook, from its first use on
 */
function findRunnerHook(): { current?: AsyncHook } {
  const found: { current?: AsyncHook } = {};
  const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
  const { enable } = prototype;
  prototype.enable = function (this: AsyncHook) {
    found.current ??= this;
    prototype.enable = enable;
    return enable.call(this);
  };
  return found;
}

/** Gives servers and processes time to end. Rejects if a resource stays open, and ends the process a while later. */
async function waitForResources(): Promise<void> {
  const startMs = performance.now();
  let open = listOpenResources();
  while (open.length > 0 && performance.now() - startMs < closingTimeMs) {
    await wait(pollIntervalMs);
    open = listOpenResources();
  }
  setTimeout(() => {
    console.error('The tests have ended, but these resources are open:', process.getActiveResourcesInfo());
    process.exit(1);
  }, closingTimeMs).unref();
  assert.deepEqual(open, [], 'all tests have ended, but these resources are open');
}

/** Runs each file as a test inside one test. A file fails if the one before it changed the process. */
export async function runTestFiles(files: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const listChanges = watchProcess();
  const runnerHook = findRunnerHook();
  let previous = '';
  const assertProcessUnchanged = () => assert.deepEqual(listChanges(), [], `${previous} changed the process`);
  // Without its hook, the runner does not know to which test they belong.
  const uncaught: unknown[] = [];
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => uncaught.push(error));

  await test('files', async (context) => {
    for await (const file of files) {
      if (!isNightly) await waitForMidnight();
      runnerHook.current?.enable();
      await context.test(relative('', file), { timeout: maxFileMs }, async (t) => {
        assertProcessUnchanged();
        const isFirst = previous === '';
        previous = file;
        t.after(() => {
          if (uncaught.length > 0) throw new AggregateError(uncaught.splice(0), 'uncaught errors');
        });
        // The tests of the file wait for this one. Otherwise they could all end before the file calls `test` again, and the
        // runner would already remove what they share.
        const loading = Promise.withResolvers<void>();
        void t.test(loadingTitle, () => loading.promise);
        await import(pathToFileURL(resolve(file)).href).finally(loading.resolve);
        // Other processes find the code of the first file, which loads most modules. By default, Node.js writes compiled code
        // when a process ends.
        if (isFirst) flushCompileCache();
        runnerHook.current?.disable();
      });
    }
    assertProcessUnchanged();
    await waitForResources();
  });
}

if (import.meta.main) {
  const input = new Socket({ fd: namesDescriptor });
  await runTestFiles(createInterface({ input }));
  input.destroy();
}
