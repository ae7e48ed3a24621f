/** Runs a test file like `npm test`, where a file that fails to load is a failed test. After a failure, no further test runs. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, type TestContext } from 'node:test';
import { runTestFiles } from '../support/run-test-files.ts';

let hasFailed = false;
afterEach((context) => {
  if (!(context as TestContext).passed) hasFailed = true;
});
beforeEach(() => assert.ok(!hasFailed, 'an earlier test failed'));

await runTestFiles(process.argv.slice(2));
