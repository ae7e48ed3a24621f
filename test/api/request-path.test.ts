/** How many files a reader of one request opens: those with a function that the request runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { isCitus } from '../support/postgres-database.ts';
import { watchFiles } from '../support/watch-files.ts';

const maxFilesToStatement = 21;
const maxFiles = 26;

/** Timers of the same process run other files, on a busy machine during most requests. */
const maxRequests = 100;

/** Citus reads pages after the key, through further files. */
const onOneServer = { skip: isCitus };

test(
  'a page passes few files from the request to its statement, and few more to the response',
  onOneServer,
  async (t) => {
    const { server, alice } = await createFixtureWithServer(t);
    const first = await server.get('/submissions?limit=1', { key: alice });
    const { next_cursor: cursor } = JSON.parse(first.text).pagination;

    const watch = watchFiles(t);
    let toStatement = new Set<string>();
    let all = new Set<string>();
    const hasFewFiles = () => toStatement.size <= maxFilesToStatement && all.size <= maxFiles;
    for (let turn = 0; turn < maxRequests && (turn === 0 || !hasFewFiles()); turn += 1) {
      watch.begin();
      // The response cache answers no page that it has not seen.
      const path = `/submissions?limit=${turn + 1}&cursor=${cursor}`;
      assert.equal((await server.get(path, { key: alice })).status, 200);
      const found = watch.end();
      toStatement = turn === 0 ? found.toStatement : toStatement.intersection(found.toStatement);
      all = turn === 0 ? found.all : all.intersection(found.all);
    }

    assert.ok(toStatement.has('web/api/dispatcher.ts'));
    assert.ok(toStatement.size <= maxFilesToStatement, [...toStatement].join(' '));
    assert.ok(all.size <= maxFiles, [...all].join(' '));
  },
);
