/**
 * Simulates workers that share one database, from times that were measured with one: how many requests a second they
 * reach together, and what limits them first. A machine with this many processors is rarer than the question.
 *
 * Each worker has one processor and its own clients, who send the next request when they have the response. A worker
 * collects waiting requests into batches as `src/store/admission.ts` does.
 */
import { parseArgs } from 'node:util';
import { maxBatchRequests } from '../src/store/admission.ts';
import { maxBatchRows } from '../src/store/engine.ts';
import { maxAdmissionStatements } from '../src/store/postgres/postgres-engine.ts';

const help = `Usage: npm run bench:simulate-workers -- [options]

Simulates 1, 2, 8 and 32 workers on one database. Times are in microseconds.

  --keys N                keys, each equally frequent (default: 1000)
  --clients N             of each worker (default: 32)
  --database-cores N      processors of PostgreSQL (default: 8)
  --sqlite-request N      a request in a worker, without its key (default: 160)
  --sqlite-commit N       the transaction of a batch, without its keys (default: 27)
  --sqlite-key N          a key in this transaction (default: 12)
  --postgres-request N    a request in a worker (default: 130)
  --postgres-statement N  the statement of a batch in the database, without its keys and pages (default: 300)
  --postgres-key N        a key and its page in this statement (default: 150)
  --postgres-commit N     wait for the disk at the end of a statement, which holds the rows of its keys (default: 1000)
  --help                  show this text
`;

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '32' },
    'database-cores': { type: 'string', default: '8' },
    'sqlite-request': { type: 'string', default: '160' },
    'sqlite-commit': { type: 'string', default: '27' },
    'sqlite-key': { type: 'string', default: '12' },
    'postgres-request': { type: 'string', default: '130' },
    'postgres-statement': { type: 'string', default: '300' },
    'postgres-key': { type: 'string', default: '150' },
    'postgres-commit': { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});

const time = (name: Exclude<keyof typeof values, 'help'>) => Number(values[name]);

const simulatedUs = 2_000_000;
/** Of 20 documents, each with one more row than requested. */
const maxBatchPages = Math.floor(maxBatchRows / 21);
/** Of a worker that finds the file locked. */
const retryUs = 2_000;

interface Calendar {
  readonly nowUs: number;
  after(us: number, run: () => void): void;
  runUntil(endUs: number): void;
}

function createCalendar(): Calendar {
  let nowUs = 0;
  /** In descending order of their times: the next event is the last one. */
  const events: { atUs: number; run: () => void }[] = [];
  return {
    get nowUs() {
      return nowUs;
    },
    after: (us, run) => {
      const atUs = nowUs + us;
      const later = events.findLastIndex((event) => event.atUs > atUs);
      events.splice(later + 1, 0, { atUs, run });
    },
    runUntil: (endUs) => {
      for (let event = events.pop(); event !== undefined && event.atUs < endUs; event = events.pop()) {
        nowUs = event.atUs;
        event.run();
      }
    },
  };
}

/** Equal processors with one queue. */
interface Processors {
  readonly busyUs: number;
  /** @param begin returns the time that the work takes */
  use(begin: () => number, done: () => void): void;
}

function createProcessors({ after }: Calendar, count: number): Processors {
  let busyUs = 0;
  let busy = 0;
  const queue: { begin: () => number; done: () => void }[] = [];

  function start(): void {
    while (busy < count) {
      const next = queue.shift();
      if (next === undefined) return;
      busy += 1;
      const us = next.begin();
      busyUs += us;
      after(us, () => {
        busy -= 1;
        next.done();
        start();
      });
    }
  }

  return {
    get busyUs() {
      return busyUs;
    },
    use: (begin, done) => {
      queue.push({ begin, done });
      start();
    },
  };
}

interface Simulation {
  calendar: Calendar;
  answered: number;
  /** Utilisation by the name of the resource, of 1. */
  resources: Map<string, () => number>;
}

interface WorkerOptions {
  requestUs: number;
  maxRequests: number;
  maxRunning: number;
  /** Runs a batch of requests for these keys in a worker with this processor. */
  admit: (keys: readonly number[], processor: Processors, done: () => void) => void;
}

function addWorkers(simulation: Simulation, count: number, options: WorkerOptions): void {
  const { calendar, resources } = simulation;
  const processors = Array.from({ length: count }, () => createProcessors(calendar, 1));
  for (const processor of processors) addClients(simulation, processor, options);
  resources.set('processors of the workers', () => {
    const busyUs = processors.reduce((sum, each) => sum + each.busyUs, 0);
    return busyUs / calendar.nowUs / count;
  });
}

/** The clients of one worker. */
function addClients(
  simulation: Simulation,
  processor: Processors,
  { requestUs, maxRequests, maxRunning, admit }: WorkerOptions,
): void {
  const halfUs = () => requestUs / 2;
  let waiting: number[] = [];
  let running = 0;
  const pickKey = () => Math.floor(Math.random() * time('keys'));

  function start(): void {
    if (running === maxRunning || waiting.length === 0) return;
    const taken = waiting.slice(0, maxRequests);
    waiting = waiting.slice(taken.length);
    running += 1;
    admit(taken, processor, () => {
      running -= 1;
      for (let request = 0; request < taken.length; request += 1)
        processor.use(halfUs, () => {
          simulation.answered += 1;
          arrive();
        });
      start();
    });
  }

  const arrive = () =>
    processor.use(halfUs, () => {
      waiting.push(pickKey());
      // The others of this turn of the event loop arrive first.
      simulation.calendar.after(0, start);
    });
  for (let client = 0; client < time('clients'); client += 1) arrive();
}

function simulateSqlite(simulation: Simulation, workers: number): void {
  const { calendar, resources } = simulation;
  let isLocked = false;
  let lockedUs = 0;
  const admit: WorkerOptions['admit'] = (keys, processor, done) => {
    // The transaction blocks its worker, and the lock is held for its whole time.
    const us = time('sqlite-commit') + new Set(keys).size * time('sqlite-key');
    const attempt = () => {
      let isOwn = false;
      const begin = () => {
        isOwn = !isLocked;
        if (!isOwn) return 0;
        isLocked = true;
        lockedUs += us;
        return us;
      };
      processor.use(begin, () => {
        if (!isOwn) return calendar.after(retryUs, attempt);
        isLocked = false;
        done();
      });
    };
    attempt();
  };
  const requestUs = time('sqlite-request');
  addWorkers(simulation, workers, { requestUs, maxRequests: maxBatchRequests, maxRunning: 1, admit });
  resources.set('lock of the counters', () => lockedUs / calendar.nowUs);
}

function simulatePostgres(simulation: Simulation, workers: number): void {
  const { calendar, resources } = simulation;
  const database = createProcessors(calendar, time('database-cores'));
  const lockedKeys = new Set<number>();
  let waitedUs = 0;
  let statements = 0;
  const admit: WorkerOptions['admit'] = (requests, _, done) => {
    const keys = [...new Set(requests)];
    statements += 1;
    const us = time('postgres-statement') + requests.length * time('postgres-key');
    const execute = () => us;
    database.use(execute, () => {
      const sinceUs = calendar.nowUs;
      const lock = () => {
        // Another statement has taken the row, and keeps it until its commit.
        if (keys.some((key) => lockedKeys.has(key))) return calendar.after(50, lock);
        waitedUs += calendar.nowUs - sinceUs;
        for (const key of keys) lockedKeys.add(key);
        calendar.after(time('postgres-commit'), () => {
          for (const key of keys) lockedKeys.delete(key);
          done();
        });
      };
      lock();
    });
  };
  addWorkers(simulation, workers, {
    requestUs: time('postgres-request'),
    maxRequests: maxBatchPages,
    maxRunning: maxAdmissionStatements,
    admit,
  });
  resources.set(
    'processors of the database',
    () => database.busyUs / calendar.nowUs / time('database-cores'),
  );
  resources.set('waits for rows (ms for each statement)', () => waitedUs / statements / 1_000);
}

if (values.help) console.log(help);
else
  for (const [engine, add] of [
    ['sqlite', simulateSqlite],
    ['postgres', simulatePostgres],
  ] as const)
    for (const workers of [1, 2, 8, 32]) {
      const simulation: Simulation = { calendar: createCalendar(), answered: 0, resources: new Map() };
      add(simulation, workers);
      simulation.calendar.runUntil(simulatedUs);
      const used = [...simulation.resources].map(([name, read]) => `${name} ${read().toFixed(2)}`);
      const perSecond = Math.round((simulation.answered / simulatedUs) * 1_000_000);
      console.log(`${engine}, ${workers} workers: ${perSecond} requests a second; ${used.join(', ')}`);
    }
