import { createSeededRandom } from '../../support/records.ts';
import type { Figure, FigureRun, Measurement } from '../figure.ts';
import { openPipelinedConnection } from '../pipelined-connection.ts';
import { add, fail, formatCount, formatNumber } from '../tally.ts';

const lists = [
  '/submissions?limit=1',
  '/submissions?limit=1&status=in_review',
  '/submissions?limit=1&topic=Mobility',
  '/submissions?limit=1&status=in_review&topic=Mobility',
  '/sessions?limit=1',
  '/support?limit=1',
  '/surveys?limit=1',
  '/changes?limit=1',
];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Characters outside the alphabet, some of which base64 decoders skip. */
const strangers = ['+', '/', '=', '.', ' ', '\n', '\0', 'ä', '%', '&', '~', '\u{1f333}'];

/** Replaces, inserts or deletes a character. @returns the other cursor, percent-encoded where needed */
function changeOneCharacter(cursor: string, random: () => number): string {
  const below = (bound: number) => Math.floor(random() * bound);
  for (;;) {
    const at = below(cursor.length + 1);
    const character =
      random() < 0.9 ? (alphabet[below(64)] as string) : (strangers[below(strangers.length)] as string);
    const kind = random();
    const [inserted, skipped] = kind < 0.9 ? [character, 1] : kind < 0.95 ? [character, 0] : ['', 1];
    const changed = cursor.slice(0, at) + inserted + cursor.slice(at + skipped);
    if (changed !== cursor) return encodeURIComponent(changed);
  }
}

async function start({ createFixture, startServer, tally }: FigureRun): Promise<Measurement> {
  const fixture = await createFixture();
  const server = await startServer(fixture.database);
  const connection = await openPipelinedConnection(server.port);
  const key = fixture.alice;
  const cursors: { path: string; cursor: string }[] = [];
  for (const list of lists) {
    const { json } = await server.get(list, { key });
    cursors.push({ path: `/api/v1${list}&cursor=`, cursor: json.pagination.next_cursor });
  }

  return {
    measure: async (first, count) => {
      const random = createSeededRandom(first);
      const requests = Array.from({ length: count }, (_, index) => {
        const { path, cursor } = cursors[(first + index) % cursors.length] as (typeof cursors)[number];
        return { key, target: path + changeOneCharacter(cursor, random) };
      });
      const unchanged = cursors.map(({ path, cursor }) => ({ key, target: path + cursor }));
      const responses = await connection.send([...requests, ...unchanged]);
      for (const [index, { status, body }] of responses.entries()) {
        const isChanged = index < count;
        add(tally, `${isChanged ? 'changed' : 'unchanged'} ${status}`);
        if (status !== (isChanged ? 400 : 200))
          fail(tally, `${status} for ${[...requests, ...unchanged][index]?.target}: ${body.slice(0, 100)}`);
      }
    },
  };
}

export const changedCursors: Figure = {
  number: 9,
  promise: 'A cursor with one changed character returns 400.',
  unit: 'changed cursors',
  fullSize: 100_000,
  minSize: 2_000,
  batchSize: 200,
  engines: ['sqlite', 'postgres'],
  minutes: 2,
  defect: {
    description: 'cursors need not be canonical base64url',
    edits: [{ file: 'src/web/api/pagination.ts', from: "cursor.toString('base64url') !== text || ", to: '' }],
  },
  start,
  conclude: (tally, done) => ({
    measured: `${formatCount(tally, 'changed 400')} of ${formatNumber(done)} returned 400; the unchanged cursors returned 200 (${formatCount(tally, 'unchanged 200')})`,
    violations: [],
  }),
};
