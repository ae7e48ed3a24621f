import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import { openFiles } from '../../src/web/open/open-files.ts';
import {
  createCatalogReader,
  dcat,
  dct,
  listOf,
  type Statement,
  sortStatements,
  valuesOf,
} from '../support/catalog-statements.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { type RequestOptions, sendRequest } from '../support/http-client.ts';
import {
  createSession,
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
} from '../support/records.ts';
import { watchFiles } from '../support/watch-files.ts';

const publicUrl = 'https://api.example';

const fixture = await createFixture({ after });
const { store, a, b, putRecords, sql } = fixture;
const environment = {
  ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
  ROSTRA_PUBLIC_URL: publicUrl,
};
const server = await fixture.startServer(environment);

await store.editOrganization(a, {
  slug: 'musterstadt',
  language: 'de',
  licenseName: 'CC-BY-4.0',
  contactName: 'Open data office',
  contactEmail: 'opendata@musterstadt.example',
  openData: 'on',
});
await store.editOrganization(b, { slug: 'beispielburg', licenseName: 'CC0-1.0', openData: 'on' });

const get = (path: string, options?: RequestOptions, { port } = server) => sendRequest(port, path, options);

const { getDocument, readTurtle, readJsonLd } = createCatalogReader(server);

const foaf = 'http://xmlns.com/foaf/0.1/';
const hydra = 'http://www.w3.org/ns/hydra/core#';
const vcard = 'http://www.w3.org/2006/vcard/ns#';
const attributionText = 'http://dcat-ap.de/def/dcatde/licenseAttributionByText';

/** A municipality with one session. */
const addOpen = async (name: string, slug: string) => {
  const { id } = await store.addOrganization(name, randomUUID());
  await putRecords(id, [{ kind: 'session', ...createSession(1) }]);
  await store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });
  return id;
};

suite('the catalogue of a municipality', () => {
  const path = '/open/musterstadt/catalog.ttl';

  test('is the same graph in both syntaxes', async () => {
    assert.deepEqual(
      sortStatements(await readJsonLd('/open/musterstadt/catalog.jsonld')),
      sortStatements(await readTurtle(path)),
    );
  });

  test('has the properties that DCAT-AP and DCAT-AP.de require', async () => {
    const statements = await readTurtle(path);
    for (const [of, count, properties] of [
      [`${dcat}Catalog`, 1, [`${dct}title`, `${dct}description`, `${dct}publisher`]],
      [`${dcat}Dataset`, 3, [`${dct}title`, `${dct}description`, `${dct}publisher`, `${dcat}theme`]],
      [`${dcat}Distribution`, openFiles.size - 1, [`${dcat}accessURL`, `${dct}license`, `${dct}format`]],
      [`${dcat}DataService`, 1, [`${dct}title`, `${dcat}endpointURL`, `${dct}publisher`]],
      [`${foaf}Agent`, 1, [`${foaf}name`]],
      [`${vcard}Kind`, 1, [`${vcard}fn`, `${vcard}hasEmail`]],
    ] as const) {
      const ids = listOf(statements, of);
      assert.equal(ids.length, count, of);
      for (const id of ids)
        for (const property of properties)
          assert.notDeepEqual(valuesOf(statements, id, property), [], `${id} ${property}`);
    }
  });

  test('has each file with its address and both titles', async () => {
    const statements = await readTurtle(path);
    const files = listOf(statements, `${dcat}Distribution`).map((id) => {
      assert.equal(valuesOf(statements, id, `${dct}title`).length, 2, id);
      assert.deepEqual(
        valuesOf(statements, id, `${dcat}accessURL`),
        valuesOf(statements, id, `${dcat}downloadURL`),
      );
      return valuesOf(statements, id, `${dcat}downloadURL`)[0];
    });
    const expected = [...openFiles]
      .filter(([, { download }]) => download !== undefined)
      .map(([name]) => `${publicUrl}/open/musterstadt/${name}`);
    assert.deepEqual(files.sort(), expected.sort());
    for (const file of files) await getDocument(new URL(String(file)).pathname, { method: 'HEAD' });
  });

  test('names the municipality, its contact and its language', async () => {
    const statements = await readTurtle(path);
    const [publisher] = listOf(statements, `${foaf}Agent`);
    assert.deepEqual(valuesOf(statements, publisher, `${foaf}name`), ['Musterstadt']);
    const [contact] = listOf(statements, `${vcard}Kind`);
    assert.deepEqual(valuesOf(statements, contact, `${vcard}hasEmail`), [
      'mailto:opendata@musterstadt.example',
    ]);
    const [dataset] = listOf(statements, `${dcat}Dataset`);
    assert.deepEqual(valuesOf(statements, dataset, `${dct}language`), [
      'http://publications.europa.eu/resource/authority/language/DEU',
    ]);
    assert.ok(statements.every((statement) => !statement.join(' ').includes('eispielburg')));
  });

  test('has no contact without an address', async () => {
    await store.editOrganization(b, { contactName: 'Town hall' });
    assert.deepEqual(listOf(await readTurtle('/open/beispielburg/catalog.ttl'), `${vcard}Kind`), []);
    await store.editOrganization(b, { contactName: null });
  });

  test('has names with quotes and markup as they are, and no invalid address', async () => {
    const name = String.raw`"Bad" <script>\u0041\n</script> am 'Rhein' {@id} 😀`;
    const id = await addOpen(name, 'bad');
    // As another program may write it.
    await sql(
      'UPDATE organization SET license_name = NULL, license_url = $2, contact_email = $3 WHERE id = $1',
      [id, 'https://a.example/<x>"\\{y}', 'a>b"c%@x.example'],
    );
    const statements = await readTurtle('/open/bad/catalog.ttl');
    assert.deepEqual(
      sortStatements(await readJsonLd('/open/bad/catalog.jsonld')),
      sortStatements(statements),
    );
    const [publisher] = listOf(statements, `${foaf}Agent`);
    assert.deepEqual(valuesOf(statements, publisher, `${foaf}name`), [name]);
    const [file] = listOf(statements, `${dcat}Distribution`);
    assert.deepEqual(valuesOf(statements, file, `${dct}license`), ['https://a.example/%3Cx%3E%22%5C%7By%7D']);
    const [contact] = listOf(statements, `${vcard}Kind`);
    assert.deepEqual(valuesOf(statements, contact, `${vcard}hasEmail`), ['mailto:a%3Eb%22c%25@x.example']);
    await store.removeOrganization(id);
  });

  test('has a tag that is compared, and moves only with what the municipality publishes', async () => {
    const { headers } = await getDocument(path);
    const { etag = '' } = headers;
    assert.equal(headers['content-type'], 'text/turtle; charset=utf-8');
    assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate');
    const condition = { headers: { 'if-none-match': etag } };
    await putRecords(b, [{ kind: 'session', ...createSession(80) }]);
    assert.equal((await get(path, condition)).status, 304);
    for (const change of [{ language: 'en' }, { contactUrl: 'https://www.musterstadt.example' }]) {
      const before = (await getDocument(path)).headers.etag;
      await store.editOrganization(a, change);
      assert.notEqual((await getDocument(path)).headers.etag, before);
    }
    await store.editOrganization(a, { language: 'de', contactUrl: null });
  });

  test('is found from pages, files and feeds, leads to the page, and moves with the slug', async () => {
    for (const from of ['', '/sessions', '/surveys.csv', '/sessions.ics', '/decisions.atom'])
      assert.equal(
        (await getDocument(`/open/musterstadt${from}`)).headers.link,
        '</open/musterstadt/catalog.jsonld>; rel="describedby"; type="application/ld+json", ' +
          '</open/musterstadt/catalog.ttl>; rel="describedby"; type="text/turtle"',
      );
    const page = `${publicUrl}/open/musterstadt`;
    const catalog = await readTurtle(path);
    assert.deepEqual(valuesOf(catalog, `${page}#catalog`, `${foaf}homepage`), [page]);
    assert.deepEqual(valuesOf(catalog, `${page}#sessions`, `${dcat}landingPage`), [page]);
    await store.editOrganization(b, { slug: 'beispielburg-am-see' });
    const moved = await get('/open/beispielburg/catalog.ttl');
    assert.deepEqual([moved.status, moved.headers.location], [308, '/open/beispielburg-am-see/catalog.ttl']);
    const statements = await readTurtle('/open/beispielburg-am-see/catalog.ttl');
    assert.ok(statements.every((statement) => !statement.join(' ').includes('/beispielburg/')));
    await store.editOrganization(b, { slug: 'beispielburg' });
  });
});

suite('the licence of a file', { concurrency: 1 }, () => {
  const governmental = 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/';
  for (const [licenseName, licenseUrl, attribution, expected, expectedAttribution] of [
    ['DL-DE-BY-2.0', null, null, 'http://dcat-ap.de/def/licenses/dl-by-de/2.0', 'Beispielburg'],
    ['dl-de/by-2-0', null, 'Stadt B', 'http://dcat-ap.de/def/licenses/dl-by-de/2.0', 'Stadt B'],
    ['DL-DE-ZERO-2.0', null, 'Stadt B', 'http://dcat-ap.de/def/licenses/dl-zero-de/2.0', undefined],
    [
      'CC-BY-4.0',
      'https://elsewhere.example',
      null,
      'http://dcat-ap.de/def/licenses/cc-by/4.0',
      'Beispielburg',
    ],
    ['CC0-1.0', null, null, 'http://dcat-ap.de/def/licenses/cc-zero', undefined],
    [
      null,
      'http://creativecommons.org/licenses/by/4.0',
      null,
      'http://dcat-ap.de/def/licenses/cc-by/4.0',
      'Beispielburg',
    ],
    ['OGL-UK-3.0', governmental, null, governmental, undefined],
    ['OGL-UK-3.0', governmental, 'Contains data of B', governmental, 'Contains data of B'],
    ['Own terms', null, null, `${publicUrl}/open/beispielburg#license`, undefined],
  ] as const)
    test(`${licenseName} ${licenseUrl} with the attribution ${attribution} is ${expected}`, async () => {
      await store.editOrganization(b, { licenseName, licenseUrl, attribution });
      const statements = await readTurtle('/open/beispielburg/catalog.ttl');
      for (const id of listOf(statements, `${dcat}Distribution`)) {
        assert.deepEqual(valuesOf(statements, id, `${dct}license`), [expected]);
        assert.deepEqual(
          valuesOf(statements, id, attributionText),
          expectedAttribution ? [expectedAttribution] : [],
        );
      }
      assert.deepEqual(listOf(statements, `${dct}LicenseDocument`), [expected]);
    });
});

const dlZero = 'http://dcat-ap.de/def/licenses/dl-zero-de/2.0';
const ccBy = 'http://dcat-ap.de/def/licenses/cc-by/4.0';

/** The municipality has the licence DL-DE-ZERO-2.0, its source "Portal" has CC-BY-4.0, and "Council" has none. */
async function addLicensedSource(name: string, slug: string) {
  const { id: organizationId } = await store.addOrganization(name, randomUUID());
  await store.editOrganization(organizationId, { slug, licenseName: 'DL-DE-ZERO-2.0', openData: 'on' });
  const define = (name: string, options: Record<string, string>) =>
    store.addSource(organizationId, { ...emptySourceDefinition, name, format: 'rostra', options });
  return {
    organizationId,
    portal: await define('Portal', { licenseName: 'CC-BY-4.0' }),
    council: await define('Council', {}),
    put: (name: string, records: ImportRecord[]) =>
      store.write(organizationId, (writer) => writer.put(records), {
        source: {
          format: 'rostra',
          name,
          redaction: { kinds: [], country: 'DE', patterns: {} },
          follows: undefined,
        },
      }),
    /** The licences of submissions, sessions and surveys, with the attribution. */
    readLicenses: async (catalog = `/open/${slug}/catalog.ttl`) => {
      const statements = await readTurtle(catalog);
      return ['submissions', 'sessions', 'surveys'].map((table) => {
        const file = `${publicUrl}/open/${slug}#${table}.csv`;
        return [
          ...valuesOf(statements, file, `${dct}license`),
          ...valuesOf(statements, file, attributionText),
        ];
      });
    },
  };
}

test('records of a source with a licence of its own are published with it, also after the removal of the source', async () => {
  const { organizationId, portal, council, put, readLicenses } = await addLicensedSource(
    'Quellendorf',
    'quellendorf',
  );
  await put('Portal', [
    { kind: 'session', ...createSession(90) },
    { kind: 'submission', ...createSubmission(90) },
  ]);
  await put('Council', [{ kind: 'submission', ...createSubmission(91) }]);
  const both = [[dlZero, 'Portal (CC-BY-4.0)'], [ccBy, 'Portal'], []];
  assert.deepEqual(await readLicenses(), both);
  assert.deepEqual(await readLicenses('/open/catalog.ttl'), both);

  const { licenses, resources } = JSON.parse((await getDocument('/open/quellendorf/datapackage.json')).text);
  const describe = (name: string) => ({ name, title: name });
  assert.deepEqual(licenses, [describe('DL-DE-ZERO-2.0')]);
  const findTerms = (name: string) => {
    const { licenses, sources } = resources.find((resource: { name: string }) => resource.name === name);
    return [licenses, sources];
  };
  const sources = [{ title: 'Portal' }];
  assert.deepEqual(findTerms('submissions'), [[describe('DL-DE-ZERO-2.0'), describe('CC-BY-4.0')], sources]);
  for (const table of ['sessions', 'agenda_items'])
    assert.deepEqual(findTerms(table), [[describe('CC-BY-4.0')], sources]);
  assert.deepEqual(findTerms('surveys'), [undefined, undefined]);

  const readPage = async (page: string) =>
    (await getDocument(`/open/quellendorf${page}?language=en`)).text
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  assert.match(
    await readPage(''),
    /Licences of single sources Submissions, Portal : Creative Commons Attribution 4\.0 \(CC BY 4\.0\) Sessions, Portal : Creative Commons/,
  );
  for (const page of [`/submissions/${formatSubmissionId(90)}`, `/sessions/${formatSessionId(90)}`])
    assert.match(
      await readPage(page),
      /Terms of use Licence Creative Commons Attribution 4\.0 \(CC BY 4\.0\) Source Portal /,
    );
  const other = await readPage(`/submissions/${formatSubmissionId(91)}`);
  assert.match(other, /Terms of use Licence Data licence Germany – Zero – version 2\.0 /);
  assert.doesNotMatch(other, /Portal/);

  await store.editSource(portal, { options: { licenseName: 'Own terms' } });
  await store.removeSource(portal);
  await store.removeSource(council);
  const own = `${publicUrl}/open/quellendorf#license-Own%20terms`;
  assert.deepEqual(await readLicenses(), [[dlZero, 'Portal (Own terms)'], [own, 'Portal'], []]);
  await store.removeOrganization(organizationId);
});

test('a source is found behind many records of others, and drafts have no licence', async () => {
  const { organizationId, put, readLicenses } = await addLicensedSource('Vielsitz', 'vielsitz');
  const sessions = Array.from({ length: 1_100 }, (_, n) => ({
    kind: 'session' as const,
    ...createSession(n),
  }));
  const survey = { surveyId: formatSurveyId(1), title: 'Survey', totalResponses: 0, questions: [] };
  await put('Council', sessions);
  await put('Portal', [{ kind: 'survey', ...survey, status: 'draft' }]);
  assert.deepEqual(await readLicenses(), [[], [dlZero], []]);
  await put('Portal', [
    { kind: 'session', ...createSession(9_000) },
    { kind: 'survey', ...survey, status: 'closed' },
  ]);
  assert.deepEqual(await readLicenses(), [[], [dlZero, 'Portal (CC-BY-4.0)'], [ccBy, 'Portal']]);
  await store.removeOrganization(organizationId);
});

suite('the catalogue of the installation', { concurrency: 1 }, () => {
  test('has all municipalities with open data, in pages', async (t) => {
    const added: string[] = [];
    for (let number = 10; number < 40; number += 1)
      added.push(await addOpen(`Ort ${number}`, `ort-${number}`));
    t.after(() => Promise.all(added.map((id) => store.removeOrganization(id))));
    const closed = String(added[3]);
    await store.editOrganization(closed, { openData: 'off' });
    const names: string[] = [];
    let pages = 0;
    let next: string | undefined = `${publicUrl}/open/catalog.ttl`;
    for (; next !== undefined; pages += 1) {
      const { pathname, search } = new URL(next);
      const statements = await readTurtle(pathname + search);
      const [view] = listOf(statements, `${hydra}PagedCollection`);
      assert.equal(view, next);
      assert.deepEqual(listOf(statements, `${hydra}PartialCollectionView`), [view]);
      const [older] = valuesOf(statements, view, `${hydra}nextPage`);
      [next] = valuesOf(statements, view, `${hydra}next`);
      assert.equal(older, next);
      const datasets = listOf(statements, `${dcat}Dataset`);
      assert.deepEqual(
        valuesOf(statements, `${publicUrl}#catalog`, `${dcat}dataset`).sort(),
        datasets.sort(),
      );
      const agents = listOf(statements, `${foaf}Agent`).filter((id) => id.includes('/open/'));
      const withAllKinds = agents.filter((id) => !id.includes('/open/ort-'));
      assert.equal(datasets.length, agents.length + withAllKinds.length * 2);
      names.push(...agents.flatMap((id) => valuesOf(statements, id, `${foaf}name`)));
    }
    const expected = ['Beispielburg', 'Musterstadt'];
    for (let number = 10; number < 40; number += 1) if (number !== 13) expected.push(`Ort ${number}`);
    assert.deepEqual(names.sort(), expected.sort());
    assert.equal(pages, 2);
  });

  test('is the same graph in both syntaxes, except for the links to its pages', async () => {
    const unify = (statements: Statement[]) =>
      sortStatements(statements).map((statement) => statement.replaceAll('/catalog.jsonld', '/catalog.ttl'));
    assert.deepEqual(
      unify(await readJsonLd('/open/catalog.jsonld')),
      unify(await readTurtle('/open/catalog.ttl')),
    );
  });

  test('is empty without municipalities, and after the last one', async () => {
    const statements = await readTurtle('/open/catalog.ttl?after=zz');
    assert.deepEqual(listOf(statements, `${dcat}Dataset`), []);
    assert.equal(listOf(statements, `${dcat}Catalog`).length, 1);
  });

  test('keeps the description of a municipality whose address another one gives as that of its licence', async () => {
    await store.editOrganization(b, {
      licenseName: 'Not theirs',
      licenseUrl: `${publicUrl}/open/musterstadt#publisher`,
    });
    const statements = await readTurtle('/open/catalog.ttl');
    const publisher = `${publicUrl}/open/musterstadt#publisher`;
    assert.deepEqual(valuesOf(statements, publisher, `${foaf}name`), ['Musterstadt']);
    assert.deepEqual(valuesOf(statements, publisher, `${dct}title`), []);
    await store.editOrganization(b, { licenseName: 'CC0-1.0', licenseUrl: null });
  });

  test('has a tag, and a compressed form', async () => {
    const plain = await getDocument('/open/catalog.jsonld');
    assert.equal(plain.headers['content-type'], 'application/ld+json; charset=utf-8');
    const compressed = await getDocument('/open/catalog.jsonld', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(compressed.text, plain.text);
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    assert.notEqual(compressed.headers.etag, plain.headers.etag);
    const headers = { 'if-none-match': String(plain.headers.etag) };
    const unchanged = await get('/open/catalog.jsonld', { headers });
    assert.deepEqual([unchanged.status, unchanged.text], [304, '']);
    await store.editOrganization(b, { openData: 'off' });
    const changed = await getDocument('/open/catalog.jsonld', { headers });
    assert.ok(!changed.text.includes('Beispielburg'));
    await store.editOrganization(b, { openData: 'on' });
    assert.equal((await get('/open/catalog.jsonld', { headers })).status, 304);
  });

  test('is written once for all requests until a municipality changes', async (t) => {
    t.after(() => store.editOrganization(b, { contactName: null }));
    const watch = watchFiles(t);
    const isWrittenFor = async (name: string): Promise<boolean> => {
      watch.begin();
      await getDocument(`/open/${name}`);
      return watch.end().all.has('web/open/catalogs/dcat-catalog.ts');
    };
    for (const name of ['catalog.ttl', 'catalog.jsonld']) {
      await store.editOrganization(b, { contactName: `Office of ${name}` });
      const written: boolean[] = [];
      for (let request = 0; request < 3; request += 1) written.push(await isWrittenFor(name));
      assert.deepEqual(written, [true, false, false], name);
    }
  });

  test('does not exist at other addresses', async () => {
    const expected = await get('/open/unknown/catalog.ttl');
    assert.equal(expected.status, 404);
    for (const path of [
      '/open/catalog',
      '/open/catalog.rdf',
      '/open/catalog.ttl/more',
      '/open/catalog.ttl?after=A',
      '/open/catalog.ttl?after=%00',
      '/open/musterstadt/catalog.rdf',
    ])
      assert.deepEqual([path, (await get(path)).status, (await get(path)).text], [path, 404, expected.text]);
  });
});

test('the catalogue of APIs leads to the API, its description and the open data', async () => {
  const { headers, text } = await getDocument('/.well-known/api-catalog');
  assert.match(headers['content-type'] ?? '', /^application\/linkset\+json/);
  assert.match(headers.link ?? '', /rel="api-catalog"/);
  const { linkset } = JSON.parse(text);
  assert.deepEqual(linkset[0], {
    anchor: `${publicUrl}/.well-known/api-catalog`,
    item: [{ href: `${publicUrl}/api/v1` }],
  });
  const { anchor, ...links } = linkset[1];
  assert.equal(anchor, `${publicUrl}/api/v1`);
  for (const { href } of Object.values(links).flat() as { href: string }[])
    await getDocument(new URL(href).pathname);
  const condition = { headers: { 'if-none-match': String(headers.etag) } };
  assert.equal((await get('/.well-known/api-catalog', condition)).status, 304);
  assert.equal((await get('/.well-known/api-catalog', { method: 'POST' })).status, 405);
});

test('without a public address there is no catalogue, and the error says what to set', async () => {
  const { ROSTRA_PUBLIC_URL: _, ...without } = environment;
  const unaware = await fixture.startServer({
    ...without,
    ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }),
  });
  for (const path of ['/open/catalog.jsonld', '/open/musterstadt/catalog.ttl', '/.well-known/api-catalog']) {
    const { status, text } = await get(path, {}, unaware);
    assert.equal(status, 503, path);
    assert.match(JSON.parse(text).error, /ROSTRA_PUBLIC_URL/);
  }
  assert.equal((await get('/open/unknown/catalog.ttl', {}, unaware)).status, 404);
  const file = await get('/open/musterstadt/surveys.csv', {}, unaware);
  assert.deepEqual([file.status, file.headers.link], [200, undefined]);
});
