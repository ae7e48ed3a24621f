/** A reporter of node:test: writes each result as a line of JSON to the pipe that `test/run.ts` reads. */
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** File descriptor of the pipe. */
export const resultDescriptor = 3;

export interface TestResult {
  /** Of the file, of the suites, of the test. */
  titles: string[];
  durationMs: number;
  isPassed: boolean;
  /** A suite or a file, whose tests have results of their own. */
  isSuite: boolean;
  /** Reason. */
  skipped?: string;
  error?: string;
}

/** A note is what a test measured. It belongs to the test before it. */
export type Report = { started: string } | { result: TestResult } | { note: string };

/** Title of the first test of each file, which is not reported: it lasts while the file is being loaded. */
export const loadingTitle = 'is being loaded';

/** The files are tests inside one test. */
const fileNesting = 1;

/** A suite whose tests failed repeats no reason. */
const failedSuite = 'subtestsFailed';

/** Escapes the two characters that `node:readline` takes for the end of a line, but JSON does not escape. */
const formatLine = (report: Report) =>
  JSON.stringify(report).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

export default async function* reportResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles: string[] = [];
  /** Whether a result inside a suite was reported, by depth. */
  const hasResults: boolean[] = [];
  const write = (report: Report) => writeSync(resultDescriptor, `${formatLine(report)}\n`);
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      titles.length = data.nesting;
      titles[data.nesting] = data.name;
      hasResults[data.nesting + 1] = false;
      if (data.nesting === fileNesting) write({ started: data.name });
    } else if (type === 'test:diagnostic' && data.nesting > fileNesting) {
      write({ note: data.message });
    } else if (type === 'test:pass' || type === 'test:fail') {
      const { nesting, name, details } = data;
      if (nesting === fileNesting + 1 && name === loadingTitle) continue;
      const error = type === 'test:fail' ? (details as { error: FailureError }).error : undefined;
      const isRepeated = error === undefined || error.failureType === failedSuite;
      write({
        result: {
          titles: [...titles.slice(fileNesting, nesting), name],
          durationMs: Math.round(details.duration_ms),
          isPassed: type === 'test:pass',
          isSuite: hasResults[nesting + 1] ?? false,
          ...(data.skip === undefined ? {} : { skipped: String(data.skip) }),
          ...(isRepeated ? {} : { error: inspect(error.cause ?? error) }),
        },
      });
      hasResults[nesting] = true;
    }
  }
  // Nothing for standard output.
  yield '';
}

type FailureError = Error & { failureType?: string };
