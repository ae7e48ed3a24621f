import { runTestFiles } from '../support/run-test-files.ts';

runTestFiles(import.meta.dirname);
