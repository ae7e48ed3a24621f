import type { Fixture } from '../../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  type FormClient,
  fetchCsrfToken,
  password,
} from '../../support/form-client.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import {
  add,
  computeQuantile,
  fail,
  formatCount,
  formatNumber,
  getCount,
  observe,
  raise,
  type Tally,
} from '../tally.ts';

const clientCount = 20;
const maxHashesPerMinute = 10;
const unknownEmail = 'nobody@stadt.example';
const countHashes = new URL('../count-hashes.ts', import.meta.url).href;
/** Pairs of guesses whose times are compared, after the others. */
const timedPairs = 150;
const maxTimeDifference = 0.1;
/** A difference of less is noise of the measurement. */
const minDifferenceMs = 1;

/** Hashes so far. */
const countLines = ({ lines }: ServerProcess) =>
  lines.filter((line) => line.includes('"password hash"')).length;

interface Guesser {
  guess(email: string): Promise<number>;
}

async function createGuesser(client: FormClient): Promise<Guesser> {
  const token = await fetchCsrfToken(client);
  return {
    guess: async (email) => {
      const { status } = await client.post('/admin/sign-in', { token, email, password: 'guessed it' });
      return status;
    },
  };
}

/** Compares guesses at a known and at an unknown account, each with a hash, or each rejected before it. */
async function comparePairs(
  { guess }: Guesser,
  { sql }: Fixture,
  known: string,
  status: 422 | 429,
  tally: Tally,
): Promise<void> {
  for (let pair = 0; pair < timedPairs; pair += 1) {
    if (status === 422) await sql('DELETE FROM attempt');
    const emails = pair % 2 === 0 ? [known, unknownEmail] : [unknownEmail, known];
    for (const email of emails) {
      const startMs = performance.now();
      const actual = await guess(email);
      observe(tally, `${email === known ? 'known' : 'unknown'} ${status}`, performance.now() - startMs);
      if (actual !== status) fail(tally, `${actual} instead of ${status} for a timed guess`);
    }
  }
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const server = await startServer(fixture.database, { NODE_OPTIONS: `--import ${countHashes}` });
  const { email: known, link } = await createAccount(fixture.store, fixture.a);
  const { status } = await createFormClient(server.address).submitForm(link, { password });
  if (status !== 303) throw new Error(`the account has no password: ${status}`);
  const guesser = await createGuesser(createFormClient(server.address));
  const hashesBefore = countLines(server);
  if (hashesBefore === 0) throw new Error('the hashes are not counted');
  const startMs = performance.now();

  return {
    measure: async (_first, count) => {
      let sent = 0;
      const work = async () => {
        while (sent < count) {
          sent += 1;
          add(tally, `${await guesser.guess(known)}`);
        }
      };
      await Promise.all(Array.from({ length: clientCount }, work));
      const minutes = Math.ceil((performance.now() - startMs) / 60_000);
      const hashes = countLines(server) - hashesBefore;
      raise(tally, 'hashes', hashes);
      raise(tally, 'minutes', minutes);
      if (hashes > maxHashesPerMinute * minutes) fail(tally, `${hashes} hashes in ${minutes} minutes`);
    },
    finish: async () => {
      await comparePairs(guesser, fixture, known, 422, tally);
      await sendUntilRejected(guesser, [known, unknownEmail]);
      await comparePairs(guesser, fixture, known, 429, tally);
    },
  };
}

async function sendUntilRejected({ guess }: Guesser, emails: readonly string[]): Promise<void> {
  for (const email of emails) while ((await guess(email)) !== 429);
}

function describeTimes(tally: Tally, status: number): { text: string; violations: string[] } {
  const [known = 0, unknown = 0] = ['known', 'unknown'].map((name) =>
    computeQuantile(tally, `${name} ${status}`, 0.5),
  );
  const difference = Math.abs(known - unknown);
  const isSame = difference < Math.max(minDifferenceMs, maxTimeDifference * Math.min(known, unknown));
  const text = `${known} and ${unknown} ms (${status})`;
  return { text, violations: isSame && known > 0 ? [] : [`known and unknown accounts differ: ${text}`] };
}

export const signInGuesses: Figure = {
  number: 18,
  promise:
    'Guesses at the password of an account cost at most ten password hashes a minute, and take the same time for known and unknown accounts.',
  unit: 'guesses',
  fullSize: 10_000,
  minSize: 300,
  batchSize: 500,
  engines: ['sqlite', 'postgres'],
  minutes: 1,
  needsQuietMachine: true,
  restartsOnResume: true,
  defect: {
    description: 'attempts from one network have no limit',
    edits: [
      {
        file: 'src/web/admin/auth/login-attempt-limits.ts',
        from: /limit: (10|30), windowMs/g,
        to: 'limit: 100, windowMs',
      },
    ],
  },
  start,
  conclude: (tally, done) => {
    const [hashed, rejected] = [describeTimes(tally, 422), describeTimes(tally, 429)];
    return {
      measured: `${tally.maxima.hashes ?? 0} hashes for ${formatNumber(done)} guesses in ${tally.maxima.minutes ?? 0} started minutes (${getCount(tally, '422')} checked, ${formatCount(tally, '429')} rejected); medians of known and unknown accounts: ${hashed.text}, ${rejected.text}`,
      violations: [...hashed.violations, ...rejected.violations],
    };
  },
};
