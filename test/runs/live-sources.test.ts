/** `rostra source run` with the APIs of data portals, which local servers imitate. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openStore } from '../../src/store/open.ts';
import { assertSucceeds, createCliWorkspace, runCli, startCli } from '../support/cli-workspace.ts';
import { startDataServer } from '../support/data-server.ts';
import { storeDefaults } from '../support/database.ts';
import { byNight, isNightly } from '../support/nightly.ts';
import {
  createRows,
  type Portal,
  resourceId,
  rowMapping,
  type SystemName,
  servePortal,
  systems,
} from '../support/portal-server.ts';

const workspace = await createCliWorkspace({ after });
const server = await startDataServer({ after });
const options = {
  environment: { ROSTRA_DATABASE: workspace.database, ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1' },
};
const authorities = getCACertificates();
before(() => setDefaultCACertificates([...authorities, server.certificate]));
after(() => setDefaultCACertificates(authorities));

const store = await openStore({ ...storeDefaults, database: workspace.database, lockTimeoutMs: 30_000 });
after(() => store.close());

const mapping = workspace.writeFile('mapping.yaml', rowMapping);

/** Addresses that a person copies from the website of each system. */
const pages: Record<SystemName, string[]> = {
  socrata: [
    '/Social-Services/Service-Requests/erm2-nwe9',
    '/Social-Services/Service-Requests/erm2-nwe9/about_data',
  ],
  ckan: [`/dataset/reports/resource/${resourceId}`, `/datastore/dump/${resourceId}?bom=True`],
  opendatasoft: [
    '/explore/dataset/reports/table/?sort=date',
    '/api/explore/v2.1/catalog/datasets/reports/records?limit=20',
  ],
  arcgis: ['/arcgis/rest/services/Reports/FeatureServer/0'],
  open311: [
    '/georeport/v2/requests.json?start_date=2025-12-20T00:00:00Z&end_date=2026-02-01T00:00:00Z',
    '/georeport/v2/',
    '/georeport/v2/services.xml',
    '/georeport/v2/requests/17.json',
  ],
  decidim: ['/processes/budget/f/17/', '/processes/budget/f/17/proposals/3?locale=de'],
};

/** Systems with a format of their own. */
const formats: Partial<Record<SystemName, string>> = { open311: 'open311', decidim: 'decidim' };

interface Run {
  code: number | null;
  stderr: string;
  counts: Record<string, number>;
  notes: string[];
}

/** A municipality with a source whose address is a page of the system. */
async function addSource(name: SystemName, page: string, ...flags: string[]) {
  const town = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
  const compose = (command: string, ...more: string[]) => [
    ...['source', command, 'Reports', '--organization', town.id],
    ...more,
  ];
  const added = await runCli(
    compose(
      'add',
      ...(formats[name] ? ['--format', formats[name]] : ['--format', 'table', '--mapping', mapping]),
      ...['--system', name, '--url', `${server.origin}${page}`],
      ...['--pause', '0', '--delete-missing', '--max-deleted', '50'],
      ...flags,
    ),
    options,
  );
  const run = async (): Promise<Run> => {
    const { code, stdout, stderr } = await runCli(compose('run', '--json'), options);
    const { notes = [], ...counts } = stdout === '' ? {} : JSON.parse(stdout);
    return { code, stderr, counts, notes };
  };
  /** @returns what the run prints for people */
  const runForPeople = () => assertSucceeds(compose('run'), options);
  const show = async () => JSON.parse(await assertSucceeds(compose('show', '--json'), options));
  return { organization: town.id, added, run, runForPeople, show };
}

/** Ends the response as real servers do when they fail. */
const faults: Record<string, { fault: NonNullable<Portal['fault']>; error: RegExp; skip?: string | false }> =
  {
    'a web page': {
      fault: (_, response) =>
        !!response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Log in</p>'),
      error: /did not answer with complete JSON in UTF-8 \(content type "text\/html"/,
    },
    'an error with status 200': {
      fault: (_, response) =>
        !!response.writeHead(200).end('{"error":{"code":400,"message":"Invalid\\u0007 token"}}'),
      error: /answered (?:with an error: "Invalid {1,2}token"|without a list of records)/,
    },
    'a key that is no longer valid': {
      fault: (_, response) => !!response.writeHead(401).end('{"message":"Expired"}'),
      error: /(?:Access to \S+ is denied|denies access without a key) \(401\)\./,
      skip: byNight('by day the other faults show that the records stay'),
    },
    'a connection that ends in the middle of a page': {
      fault: (query, response) => {
        const counts = query.get('$select')?.startsWith('count') || query.get('limit') === '0';
        if (counts || query.has('returnIdsOnly') || query.has('returnCountOnly')) return false;
        response.writeHead(200, { 'content-length': '1000' }).write('{');
        response.destroy();
        return true;
      },
      error: /The connection to .* failed \(\w+\), 4 times\. Try again later\./,
    },
  };

const isLikeOthers = (name: SystemName) =>
  formats[name] !== undefined && byNight('by day other systems show how the same code deals with faults');

/** They do not say how many records they have. */
const uncounted: readonly SystemName[] = ['open311', 'decidim'];

for (const name of Object.keys(systems) as SystemName[])
  suite(`a source of the system ${name}`, { skip: isLikeOthers(name) }, () => {
    const [page = ''] = pages[name];
    const serve = (count: number, changes: Partial<Portal> = {}) =>
      Object.assign(servePortal(server, name, createRows(count)), changes);

    test('imports as many records as the system counts, and later only the changes', async () => {
      const portal = serve(1_100);
      const { added, run } = await addSource(name, page);
      assert.equal(added.code, 0, added.stderr);
      const first = await run();
      assert.equal(first.code, 0, first.stderr);
      assert.deepEqual([first.counts.inserted, first.counts.rejected], [portal.rows.length, 0]);
      assert.deepEqual(first.notes, []);
      portal.rows.splice(1, 1);
      Object.assign(portal.rows[0] ?? {}, { text: 'Mended lamp' });
      const second = await run();
      const { inserted, changed, removed, unchanged } = second.counts;
      assert.deepEqual([inserted, changed, removed, unchanged], [0, 1, 1, 1_098], second.stderr);
    });

    test('knows the addresses that people copy', async () => {
      const urls = await Promise.all(
        pages[name].map(async (address) => {
          const { added, show } = await addSource(name, address);
          assert.equal(added.code, 0, added.stderr);
          return new URL((await show()).url).pathname;
        }),
      );
      const { path, page: stored = path }: { path: string; page?: string } = systems[name];
      assert.deepEqual([...new Set(urls)], [stored]);
    });

    test('waits as long as a server asks', async () => {
      let refused = 0;
      serve(3, {
        fault: (_, response) => {
          refused += 1;
          return refused <= 2 && !!response.writeHead(429, { 'retry-after': '0' }).end();
        },
      });
      const { run } = await addSource(name, page);
      const { code, counts, stderr } = await run();
      assert.deepEqual([code, counts.inserted], [0, 3], stderr);
    });

    for (const [title, { fault, error, skip = false }] of Object.entries(faults))
      test(`keeps its records after ${title}`, { skip }, async () => {
        const portal = serve(12);
        const { run } = await addSource(name, page);
        assert.equal((await run()).counts.inserted, 12);
        portal.rows.splice(0, 6);
        portal.fault = fault;
        const { code, stderr } = await run();
        assert.equal(code, 1);
        assert.match(stderr, error);
        portal.fault = undefined;
        const { counts } = await run();
        assert.deepEqual([counts.removed, counts.unchanged], [6, 6]);
      });

    const skip = uncounted.includes(name);
    test('removes nothing if a page lacks records that the system counts, and says so', {
      skip,
    }, async () => {
      const portal = serve(5);
      const { run, runForPeople } = await addSource(name, page);
      assert.equal((await run()).counts.inserted, 5);
      portal.shown = portal.rows.slice(1);
      const printed = await runForPeople();
      assert.match(
        printed,
        /The source counts 5 records, but did not return 1 of them\. Therefore no missing record was removed\./,
      );
      portal.shown = undefined;
      const { counts } = await run();
      assert.deepEqual([counts.inserted, counts.unchanged], [0, 5]);
    });

    test('is not followed if it loses most of its records', async () => {
      const portal = serve(10);
      const { run } = await addSource(name, page);
      assert.equal((await run()).counts.inserted, 10);
      portal.rows.splice(0, 9);
      const { counts, stderr } = await run();
      assert.equal(counts.removed, 0, stderr);
    });

    test('rejects an address that no page of the system has', async () => {
      const { added } = await addSource(name, '/about');
      assert.equal(added.code, 2);
      assert.match(added.stderr, /\/about is not an address of \w+ that Rostra knows\./);
    });
  });

suite('windows of time', () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19);
  const crowd = createRows(30).map((row) => ({ ...row, date: '2026-03-01T10:00:00' }));

  /** As Mark-a-Spot, which has no empty lists. */
  const refuseEmptyList =
    (portal: Portal): NonNullable<Portal['fault']> =>
    (query, response, _, { url }) => {
      if (!url?.includes('/requests.json') || systems.open311.answer(portal, query).length > 0) return false;
      return !!response.writeHead(404).end('{"error":{"code":404,"message":"No Service requests found"}}');
    };

  test('are halved until each has all of its records; in others no record counts as missing', async () => {
    const spread = createRows(60).map((row, index) => ({
      ...row,
      id: 100 + index,
      date: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 2), 12)).toISOString().slice(0, 19),
    }));
    const portal = servePortal(server, 'open311', [...crowd, ...spread]);
    portal.maxRows = 25;
    portal.fault = (query) => {
      // As servers that select whole days.
      query.set('start_date', `${query.get('start_date')?.slice(0, 10)}T00:00:00Z`);
      query.set('end_date', `${query.get('end_date')?.slice(0, 10)}T23:59:59Z`);
      return false;
    };
    const address = `${systems.open311.path}?start_date=2025-12-20T00:00:00Z&end_date=2026-04-01T00:00:00Z`;
    const { run, runForPeople } = await addSource('open311', address);
    const first = await run();
    assert.equal(first.counts.inserted, 85, first.stderr);
    portal.rows = portal.rows.filter(({ id }) => id !== 1 && id !== 110);
    assert.match(
      await runForPeople(),
      /^removed +1$.+returned only some of its records for one period \(from 2026-0\S+ to 2026-03\S+\)\. Therefore no missing record of this period is removed\./ms,
    );
    assert.equal((await run()).counts.unchanged, 84);
  });

  test('go back in time until there are no older records, with the parameters of the address', async () => {
    // Each pause is shorter than the eight windows of 90 days after which no older records are expected.
    const days = [-1, -500, -900, -1_300];
    const rows = createRows(days.length).map((row, index) => ({ ...row, date: day(days[index] ?? 0) }));
    const portal = servePortal(server, 'open311', rows);
    const jurisdictions = new Set<string | null>();
    const refuse = refuseEmptyList(portal);
    portal.fault = (query, ...others) => {
      jurisdictions.add(query.get('jurisdiction_id'));
      return refuse(query, ...others);
    };
    const { run } = await addSource('open311', '/georeport/v2?jurisdiction_id=town.example');
    const { counts, stderr } = await run();
    assert.equal(counts.inserted, days.length, stderr);
    assert.deepEqual([...jurisdictions], ['town.example']);
    assert.ok(portal.requests < 30);
    portal.rows = [];
    assert.match((await run()).stderr, /The input has no records, unlike before\./);
  });

  test('may all be answered with 404 by a system without records, but not at a wrong address', async () => {
    const portal = servePortal(server, 'open311', []);
    portal.fault = refuseEmptyList(portal);
    const period = 'start_date=2026-01-01T00:00:00Z&end_date=2026-01-20T00:00:00Z';
    const { run } = await addSource('open311', `${systems.open311.path}?${period}`);
    const { code, counts, stderr } = await run();
    assert.deepEqual([code, counts.read], [0, 0], stderr);
    // As GeoReport v2 demands for an unknown jurisdiction_id.
    portal.fault = (_, response) =>
      !!response.writeHead(404).end('[{"code":404,"description":"jurisdiction_id not found"}]');
    assert.match((await run()).stderr, /requests\.json\S* does not exist \(404\)/);
    // Only another 404 means that the address is wrong.
    portal.fault = (_, response, __, { url }) =>
      !!response.writeHead(url?.includes('services') ? 500 : 404).end();
    assert.match((await run()).stderr, /services\.json\S* .*500/);
  });

  const skip = byNight('by day the windows of other tests show how they are divided');

  test('need a server that selects records by time', { skip }, async () => {
    const rows = createRows(30).map((row) => ({ ...row, date: day(-1) }));
    const portal = servePortal(server, 'open311', rows);
    portal.fault = (_, response) => {
      const query = new URLSearchParams({ start_date: '2000-01-01', end_date: day(1) });
      return !!response.end(JSON.stringify(systems.open311.answer(portal, query)));
    };
    const { run } = await addSource('open311', '/georeport/v2');
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /Rostra cannot read all records of a server that does not select them by time\./);
  });

  test('end at a second if it has too many records', { skip }, async () => {
    const portal = servePortal(server, 'open311', crowd);
    portal.maxRows = 25;
    const { runForPeople } = await addSource('open311', '/georeport/v2?start_date=2026-02-01T00:00:00Z');
    assert.match(
      await runForPeople(),
      /^inserted +25$.+for one period \(from 2026-03-01T\S+ to 2026-03-01T10:0/ms,
    );
  });

  test('have valid limits', { skip }, async () => {
    servePortal(server, 'open311', []);
    const { run } = await addSource('open311', `${systems.open311.path}?start_date=1.1.2026`);
    assert.match((await run()).stderr, /invalid time in start_date: "1\.1\.2026"/);
  });
});

test('a system with a format of its own is no table', async () => {
  const { added } = await addSource('open311', '/georeport/v2', '--format', 'table', '--mapping', mapping);
  assert.equal(added.code, 2);
  assert.match(added.stderr, /Data of Open311 has the format open311\./);
});

suite('a connection of GraphQL', () => {
  const skip = byNight('each needs several runs');

  test('is read page by page, without the fields that the server lacks', async () => {
    const portal = servePortal(server, 'decidim', createRows(101));
    const { run } = await addSource('decidim', pages.decidim[0] ?? '');
    const { counts, notes, stderr } = await run();
    assert.equal(counts.inserted, 101, stderr);
    assert.deepEqual(notes, []);
    // The first one is repeated without unknown fields.
    assert.equal(portal.requests, 4);
  });

  test('of several is chosen by its address', { skip }, async () => {
    const portal = servePortal(server, 'decidim', createRows(2));
    const { run } = await addSource('decidim', '/processes/park?locale=de');
    assert.equal((await run()).counts.inserted, 2);
    for (const page of ['/', '/api/graphiql'])
      assert.match(
        (await (await addSource('decidim', page)).run()).stderr,
        /\/api has 3 lists\. Use the address of one of them for this source: \S+\/processes\/budget\/f\/17\/ \(budget: Ideas 17\), \S+\/f\/18\/ \(budget: Ideas 18\), \S+\/f\/19\/ \(park: Ideas 19\)\./,
      );
    portal.rows = [];
    const missing = await addSource('decidim', '/processes/missing');
    const hasNoList = /\/processes\/missing has no list of records that Rostra can read\./;
    assert.match((await missing.run()).stderr, hasNoList);
    portal.fault = (_, response) => !!response.end('{"data":null}');
    assert.match((await missing.run()).stderr, hasNoList);
  });

  test('may move while it is read: then no record counts as missing', { skip }, async () => {
    const portal = servePortal(server, 'decidim', createRows(101));
    const { run } = await addSource('decidim', pages.decidim[0] ?? '');
    await run();
    portal.fault = (query) => {
      if (query.get('query')?.includes('after: "49"')) portal.rows.splice(0, 2);
      return false;
    };
    // Pages overlap by one record, so that one of the other 99 is not read. It has not been removed.
    const { counts } = await run();
    assert.deepEqual([counts.removed, counts.unchanged], [0, 100]);
    portal.fault = undefined;
    assert.deepEqual((({ removed, unchanged }) => [removed, unchanged])((await run()).counts), [2, 99]);
  });

  test('ends if its cursors lead in a circle', async () => {
    const portal = servePortal(server, 'decidim', createRows(101));
    portal.fault = (query) => {
      query.set('query', (query.get('query') ?? '').replace(/after: "\d+"/, 'after: "0"'));
      return false;
    };
    const { run } = await addSource('decidim', pages.decidim[0] ?? '');
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /The list data\.component\.proposals is circular/);
    assert.ok(portal.requests < 6, `${portal.requests} requests`);
  });

  test('reports its errors exactly', async () => {
    const portal = servePortal(server, 'decidim', createRows(1));
    portal.fault = (_, response) =>
      !!response.end('{"data":{"component":null},"errors":[{"message":"Not authorised: Component"}]}');
    const { run } = await addSource('decidim', pages.decidim[0] ?? '');
    assert.match((await run()).stderr, /\/api answered with an error: "Not authorised: Component"/);
  });
});

suite('an address of the API', () => {
  test('keeps its filter in every request', async () => {
    const rows = createRows(6).map((row) => ({ ...row, state: row.id > 4 ? 'open' : 'draft' }));
    servePortal(server, 'arcgis', rows);
    const { run } = await addSource('arcgis', `${pages.arcgis[0]}/query?where=state='open'&f=html`);
    const { counts, stderr } = await run();
    assert.equal(counts.inserted, 2, stderr);
  });

  test('keeps its filter if the format differs, but no parameters of one page, and no key', async () => {
    const { show } = await addSource(
      'opendatasoft',
      '/api/explore/v2.1/catalog/datasets/reports/records?where=a=1&limit=20&select=a&apikey=geheim',
    );
    assert.equal(new URL((await show()).url).search, '?where=a%3D1');
  });
});

test('a portal whose terms forbid to publish its data needs --may-republish', async () => {
  const { id } = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
  const add = (name: string, ...flags: string[]) =>
    runCli(
      ['source', 'add', name, '--organization', id, '--format', 'table', '--mapping', mapping].concat(
        ['--url', 'https://seeclickfix.com/api/v2/issues'],
        flags,
      ),
      options,
    );
  const refused = await add('Refused');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /SeeClickFix publishes its data under CC BY-NC-SA.* add --may-republish/);
  const { code, stderr } = await add('Permitted', '--may-republish');
  assert.equal(code, 0, stderr);
});

suite('pages', () => {
  test('may have fewer records than requested', async () => {
    const portal = Object.assign(servePortal(server, 'ckan', createRows(25)), { maxRows: 7 });
    const { run } = await addSource('ckan', pages.ckan[0] ?? '');
    const { counts, stderr } = await run();
    assert.equal(counts.inserted, 25, stderr);
    // Two count the records.
    assert.equal(portal.requests, 6);
  });

  const skip = byNight('it needs many requests');

  test('are not imported if the connection ends in the middle of a later one', { skip }, async () => {
    const portal = Object.assign(servePortal(server, 'ckan', createRows(50)), { maxRows: 1 });
    portal.fault = (query, response) => {
      if (query.get('offset') !== '37') return false;
      response.writeHead(200, { 'content-length': '1000' }).write('{"success":true,');
      response.destroy();
      return true;
    };
    const { run } = await addSource('ckan', pages.ckan[0] ?? '');
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /The connection to .*offset=37.* failed \(\w+\), 4 times\./);
    portal.fault = undefined;
    assert.equal((await run()).counts.inserted, 50);
  });

  test('of 100,000 records need little memory', {
    skip: !isNightly && 'by night: it fetches a hundred megabytes',
  }, async (t) => {
    // The mapping leaves the note out.
    const note = 'n'.repeat(1_000);
    servePortal(
      server,
      'socrata',
      createRows(100_000).map((row) => ({ ...row, note })),
    );
    const { organization } = await addSource('socrata', pages.socrata[0] ?? '');
    const command = startCli(['source', 'run', 'Reports', '--organization', organization, '--json'], {
      environment: {
        ...options.environment,
        NODE_EXTRA_CA_CERTS: workspace.writeFile('authority.pem', server.certificate),
        NODE_OPTIONS: '--max-old-space-size=100',
      },
    });
    t.after(() => command.child.kill());
    const { code, stdout, stderr } = await command.result;
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).inserted, 100_000);
  });

  test('may repeat records: each is imported once, and the run says so', async () => {
    const rows = createRows(6);
    servePortal(server, 'socrata', rows).shown = [...rows.slice(0, 3), ...rows.slice(2)];
    const { run, runForPeople } = await addSource('socrata', pages.socrata[0] ?? '');
    assert.match(
      await runForPeople(),
      /The source returned records repeatedly \(1 repetition\)\. Each record was read once\./,
    );
    assert.equal((await run()).counts.unchanged, 6);
  });

  test('may change while they are read: then no record counts as missing, and the next run reads all again', async () => {
    const portal = servePortal(server, 'ckan', createRows(4));
    const { run } = await addSource('ckan', pages.ckan[0] ?? '');
    assert.equal((await run()).counts.inserted, 4);
    // The count before the first page does not have the record that the page lacks.
    portal.fault = (query) => {
      if (query.get('offset') === '0') portal.rows.splice(0, 1);
      return false;
    };
    portal.rows.push({ ...portal.rows[3], id: 9 });
    assert.deepEqual((await run()).counts.removed, 0);
    portal.fault = undefined;
    const { counts } = await run();
    assert.deepEqual([counts.removed, counts.unchanged], [1, 4]);
  });

  test('are answers with an error in JSON: the run says what the server says', async () => {
    const portal = servePortal(server, 'socrata', createRows(1));
    portal.fault = (_, response) => !!response.writeHead(400).end('{"message":"No such column: stat"}');
    const { run } = await addSource('socrata', pages.socrata[0] ?? '');
    assert.match((await run()).stderr, /refuses the request \(400\): "No such column: stat"/);
  });

  test('may have identifiers beyond 2^53', async () => {
    const [row] = createRows(1);
    const records = ['9007199254740992', '9007199254740993'].map((id, index) =>
      JSON.stringify({ ...row, _id: index, id: 0 }).replace('"id":0', `"id":${id}`),
    );
    const portal = servePortal(server, 'ckan', []);
    portal.fault = (_, response) =>
      !!response.writeHead(200).end(`{"success":true,"result":{"total":2,"records":[${records}]}}`);
    const { run } = await addSource('ckan', pages.ckan[0] ?? '');
    const { counts, stderr } = await run();
    assert.equal(counts.inserted, 2, stderr);
  });

  test('end a run with more than --max-requests', async () => {
    Object.assign(servePortal(server, 'ckan', createRows(25)), { maxRows: 1 });
    const { run } = await addSource('ckan', pages.ckan[0] ?? '', '--max-requests', '10');
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /needs more than 10 requests/);
  });
});
