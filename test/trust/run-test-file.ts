/** Runs a test file like `npm test`, where a file that fails to load is a failed test. */
import { basename, dirname, resolve } from 'node:path';
import { runTestFiles } from '../support/run-test-files.ts';

const file = resolve(process.argv[2] as string);
runTestFiles(dirname(file), basename(file));
