import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  runCli,
} from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import { toNdjson } from '../support/files.ts';
import { createAnimatedWebp, createPng, createPngChunk, jpegImage, webpImage } from '../support/images.ts';
import { createSubmission } from '../support/records.ts';
import { startServer } from '../support/server.ts';

const workspace = await createCliWorkspace({ after });
await assertSucceeds(workspace.withDatabase('organization', 'add', 'Zuerst'));

const store = await openStore({ ...storeDefaults, database: workspace.database });
after(() => store.close());

const list = async () =>
  JSON.parse(await assertSucceeds(workspace.withDatabase('organization', 'list', '--json')));
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

suite('organization add', { concurrency: 3 }, () => {
  test('prints the new id and nothing else on standard output', async () => {
    const { code, stdout, stderr } = await runCli(
      workspace.withDatabase('organization', 'add', 'Musterstadt'),
    );
    assert.equal(code, 0);
    assert.match(stdout.trimEnd(), uuidText);
    assert.match(stderr, /key issue --organization "Musterstadt"/);
  });

  test('with --json prints the organization', async () => {
    const added = JSON.parse(
      await assertSucceeds(workspace.withDatabase('organization', 'add', 'Jotstadt', '--json')),
    );
    assert.deepEqual(Object.keys(added).sort(), [
      'accentColor',
      'approval',
      'attribution',
      'contact',
      'country',
      'createdAt',
      'id',
      'language',
      'license',
      'locationDecimals',
      'logo',
      'name',
      'openData',
      'openDataIndex',
      'redactionTerms',
      'slug',
      'timeZone',
      'topicsWithoutLocation',
    ]);
    assert.equal(added.name, 'Jotstadt');
    assert.equal(new Date(added.createdAt).toISOString(), added.createdAt);
  });

  test('accepts an id and stores it in lower case', async () => {
    const id = randomUUID();
    assert.equal(
      await assertSucceeds(
        workspace.withDatabase('organization', 'add', 'Großbuch', '--id', id.toUpperCase()),
      ),
      id,
    );
  });

  test('rejects a name in use, and an id in use in any case', async () => {
    const id = await assertSucceeds(workspace.withDatabase('organization', 'add', 'Doppelt'));
    await assertFails(
      workspace.withDatabase('organization', 'add', 'Doppelt'),
      1,
      /^An organization with this name already exists: Doppelt/,
    );
    const again = workspace.withDatabase('organization', 'add', 'Anders', '--id', id.toUpperCase());
    await assertFails(again, 1, /with this id already exists: Doppelt/);
    assert.ok((await list()).every(({ name }: { name: string }) => name !== 'Anders'));
  });

  test('reports a name in use even if it resembles a connection error', async () => {
    for (const name of ['Esslingen am Neckar', 'Timeout Terminated Socket']) {
      await assertSucceeds(workspace.withDatabase('organization', 'add', name));
      await assertFails(
        workspace.withDatabase('organization', 'add', name),
        1,
        /^An organization with this name already exists/,
      );
    }
  });

  test('accepts names of 200 characters in any script, with quotes', async () => {
    const names = ['🏛'.repeat(200), `L’Haÿ-les-Roses "Süd" 'x' $(id) \\`];
    const ids = await Promise.all(
      names.map((name) => assertSucceeds(workspace.withDatabase('organization', 'add', name))),
    );
    const listed = new Map((await list()).map((one: { id: string; name: string }) => [one.id, one.name]));
    assert.deepEqual(
      ids.map((id) => listed.get(id)),
      names,
    );
  });

  const names = {
    'an empty name': '',
    'a name of 201 characters': 'x'.repeat(201),
    'a line break': 'a\nb',
    'a C1 control character': 'a\u0085b',
  };
  for (const [what, name] of Object.entries(names)) {
    test(`rejects ${what} with exit code 2`, async () => {
      await assertFails(
        workspace.withDatabase('organization', 'add', name),
        2,
        /It must have 1 to 200 characters/,
      );
    });
  }

  test('rejects an id that is not a UUID of RFC 9562 with exit code 2', async () => {
    const ids = ['', randomUUID().replaceAll('-', ''), 'aaaaaaaa-0000-0000-8000-000000000001'];
    for (const id of ids) {
      await assertFails(
        workspace.withDatabase('organization', 'add', 'Ohne', '--id', id),
        2,
        /It must be a UUID of RFC 9562/,
      );
    }
  });
});

test('organization list shows the numbers of published records by name, as a table and as JSON', async (t) => {
  const workspace = await createCliWorkspace(t);
  const a = await createMunicipality(workspace, 'Bergen');
  await createMunicipality(workspace, 'Auen');
  const records = workspace.writeFile(
    'x.ndjson',
    toNdjson([
      { kind: 'submission', ...createSubmission(1) },
      { kind: 'submission', ...createSubmission(2) },
      { kind: 'session', id: 's', committeeName: 'Rat', date: '2026-03-01' },
      { kind: 'survey', surveyId: 'u', title: 'T', status: 'closed', totalResponses: 10, questions: [] },
    ]),
  );
  await assertSucceeds(workspace.withDatabase('import', 'rostra', records, '--organization', a.id));
  const rows = JSON.parse(await assertSucceeds(workspace.withDatabase('organization', 'list', '--json')));
  assert.deepEqual(
    rows.map(({ name, submissions, sessions, surveys, activeKeys }: Record<string, unknown>) => [
      name,
      submissions,
      sessions,
      surveys,
      activeKeys,
    ]),
    [
      ['Auen', 0, 0, 0, 1],
      ['Bergen', 2, 1, 1, 1],
    ],
  );
  const table = await assertSucceeds(workspace.withDatabase('organization', 'list'));
  assert.match(table, /^ID +NAME +SUBMISSIONS +SESSIONS +SURVEYS +ACTIVE KEYS$/m);
  assert.match(table, new RegExp(`^${a.id} +Bergen +2 +1 +1 +1$`, 'm'));
});

suite('organization edit', { concurrency: 3 }, () => {
  const edit = (...args: string[]) => workspace.withDatabase('organization', 'edit', ...args);
  const add = (name: string) => assertSucceeds(workspace.withDatabase('organization', 'add', name));

  test('changes the named values only, show prints all, and --clear removes values', async () => {
    await add('Ändern');
    const all = [
      ...['--time-zone', 'europe/vienna', '--license-name', 'CC-BY-4.0', '--license-url'],
      ...['https://creativecommons.org/licenses/by/4.0/', '--contact-name', 'Amt für Statistik'],
      ...['--contact-email', 'Daten@Städte.example', '--contact-url', 'https://städte.example/ä'],
      ...['--attribution', ' Daten: Stadt Ändern ', '--language', 'EN', '--country', 'at'],
      ...['--open-data-index', 'on'],
      ...['--redaction-terms', ' Erika Muster\r\n\r\nNr = /K-[0-9]{6}/ '],
      ...['--location-decimals', '4', '--topics-without-location', ' Wohnen\r\n\nSoziales '],
      ...['--accent-color', ' 004F9F'],
    ];
    const { createdAt, id, ...edited } = JSON.parse(await assertSucceeds(edit('Ändern', ...all, '--json')));
    const contactUrl = 'https://xn--stdte-hra.example/%C3%A4';
    assert.deepEqual(edited, {
      name: 'Ändern',
      timeZone: 'Europe/Vienna',
      language: 'en',
      country: 'AT',
      redactionTerms: 'Erika Muster\nNr = /K-[0-9]{6}/',
      locationDecimals: 4,
      topicsWithoutLocation: 'Wohnen\nSoziales',
      accentColor: '#004f9f',
      approval: 'off',
      slug: null,
      openData: 'off',
      openDataIndex: 'on',
      license: { name: 'CC-BY-4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
      contact: { name: 'Amt für Statistik', email: 'Daten@xn--stdte-hra.example', url: contactUrl },
      attribution: 'Daten: Stadt Ändern',
      logo: null,
    });
    const shown = await assertSucceeds(workspace.withDatabase('organization', 'show', id));
    assert.match(
      shown,
      /^language +en\ncountry +AT\nredaction-terms {10}Erika Muster\n {25}Nr = \/K-\[0-9\]\{6\}\/\nlocation-decimals +4\n/m,
    );
    const clear = 'language,redaction-terms,location-decimals,license-name,license-url, contact-email';
    const { stdout, stderr } = await runCli(edit(id, '--name', 'Geändert', '--clear', clear));
    assert.equal(
      stderr,
      'Changed name, language, redaction-terms, location-decimals, license-name, license-url, contact-email of Ändern.\n',
    );
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
      [
        ['FIELD', 'VALUE'],
        ['id', id],
        ['name', 'Geändert'],
        ['time-zone', 'Europe/Vienna'],
        ['language', '–'],
        ['country', 'AT'],
        ['redaction-terms', '–'],
        ['location-decimals', '–'],
        ['topics-without-location', 'Wohnen'],
        ['', 'Soziales'],
        ['accent-color', '#004f9f'],
        ['slug', '–'],
        ['open-data', 'off'],
        ['open-data-index', 'on'],
        ['approval', 'off'],
        ['license-name', '–'],
        ['license-url', '–'],
        ['contact-name', 'Amt für Statistik'],
        ['contact-email', '–'],
        ['contact-url', contactUrl],
        ['attribution', 'Daten: Stadt Ändern'],
        ['logo', '–'],
      ],
    );
    const listed = (await list()).find((each: { id: string }) => each.id === id);
    assert.deepEqual([listed.name, listed.license], ['Geändert', null]);
    const partly = await runCli(edit(id, '--time-zone', 'Europe/Vienna', '--contact-name', 'Amt'));
    assert.equal(partly.stderr, 'Changed contact-name of Geändert.\n');
    const same = await runCli(edit(id, '--time-zone', 'Europe/Vienna', '--clear', 'license-name'));
    assert.deepEqual([same.code, same.stderr], [0, 'Geändert has these values already.\n']);
    const events = await workspace.sql(
      "SELECT changes FROM audit_event WHERE organization_id = $1 AND action = 'organization.edited' ORDER BY at",
      [id],
    );
    assert.deepEqual(events.length, 3);
    assert.deepEqual(JSON.parse(String(events.at(-1)?.changes)), [
      { field: 'contactName', before: 'Amt für Statistik', after: 'Amt' },
    ]);
  });

  test('rejects invalid values with the valid form, and changes nothing', async () => {
    await add('Unverändert');
    for (const [args, message] of [
      [[], /^Specify at least one change, such as --license-name/],
      [['--time-zone', 'Berlin'], /It must be an IANA time zone such as Europe\/Berlin/],
      [['--time-zone', '+01:00'], /It must be an IANA time zone/],
      [['--time-zone', 'T12+01'], /It must be an IANA time zone/],
      [['--license-url', 'creativecommons.org'], /It must be a full address such as https/],
      [['--license-url', 'javascript:alert(1)'], /It must be a full address/],
      [['--contact-url', 'https://a b'], /It must be a full address/],
      [['--contact-email', 'stadt.example'], /It must be an email address/],
      [['--attribution', 'a\nb'], /It must have 1 to 1000 characters in one line/],
      [['--license-name', ''], /It must have 1 to 200 .+ --clear license-name removes it/],
      [['--name', ' '], /It must have 1 to 200 characters in one line\.$/m],
      [['--redaction-terms', 'Huber\nNr = /K-(/\nMaier'], /one on each line; line 2 is invalid\./],
      [['--location-decimals', '5'], /It must be 3 or 4/],
      [['--location-decimals', '3.0'], /It must be 3 or 4/],
      [['--topics-without-location', ' \n'], /It must name topics of at most 200 characters/],
      [['--topics-without-location', `a\n${'x'.repeat(201)}`], /It must name topics/],
      ...['red', '#004f9', '#004f9fa', '#00 4f9', '##004f9f', '#004f9g'].map(
        (color) => [['--accent-color', color], /It must be a hexadecimal colour such as #004f9f/] as const,
      ),
      [['--slug', 'a'], /It must have 2 to 60 letters a to z, digits and single hyphens between them/],
      [['--slug', 'bad--homburg'], /It must have 2 to 60 letters/],
      [['--slug', 'köln'], /It must have 2 to 60 letters/],
      [['--slug', `${'x'.repeat(61)}`], /It must have 2 to 60 letters/],
      [['--slug', 'catalog'], /and be none of admin, api, assets, catalog/],
      [['--open-data', 'yes'], /It must be on or off/],
      [['--clear', 'name'], /It must be some of language, country, redaction-terms, location-decimals, /],
      [['--clear', 'licence-name'], /Did you mean license-name\?/],
      [
        ['--attribution', 'x', '--clear', 'attribution'],
        /--attribution and --clear attribution contradict each other/,
      ],
    ] as const)
      await assertFails(edit('Unverändert', ...args), 2, message);
    await assertFails(
      edit('Unverändert', '--name', 'Zuerst'),
      1,
      /^Another municipality has the name Zuerst/,
    );
    await assertFails(edit('Unbekannt', '--name', 'X'), 1, /^Unknown municipality "Unbekannt"/);
    const { createdAt, id, ...listed } = (await list()).find(
      ({ name }: { name: string }) => name === 'Unverändert',
    );
    assert.deepEqual([listed.license, listed.contact, listed.attribution], [null, null, null]);
  });
});

suite('organization edit --open-data', () => {
  const edit = (name: string, ...args: string[]) =>
    workspace.withDatabase('organization', 'edit', name, ...args);
  const add = (name: string) => assertSucceeds(workspace.withDatabase('organization', 'add', name));
  const license = ['--license-name', 'CC-BY-4.0'];

  test('needs a licence and a slug, set before or together with it', async () => {
    await add('Offenburg');
    await assertFails(edit('Offenburg', '--open-data', 'on'), 1, /^Open data needs a licence.+Set the name/);
    await assertFails(edit('Offenburg', '--open-data', 'on', ...license), 1, /^Open data needs a slug/);
    await assertSucceeds(edit('Offenburg', '--slug', 'Offenburg'));
    assert.equal(await store.findOpenData('offenburg'), undefined);
    const { stdout, stderr } = await runCli(edit('Offenburg', '--open-data', 'on', ...license));
    assert.equal(stderr, 'Changed open-data, license-name of Offenburg.\n');
    assert.match(stdout, /^slug +offenburg$/m);
    await assertFails(edit('Offenburg', '--clear', 'slug'), 1, /^Open data needs a slug/);
    await assertSucceeds(edit('Offenburg', '--open-data', 'off', '--clear', 'slug'));
  });

  test('ends in the same change when the licence is removed', async () => {
    const id = await add('Endingen');
    const url = 'https://stadt.example/lizenz';
    await assertSucceeds(
      edit('Endingen', '--open-data', 'on', '--slug', 'endingen', ...license, '--license-url', url),
    );
    await assertSucceeds(edit('Endingen', '--clear', 'license-name'));
    assert.partialDeepStrictEqual(await store.findOpenData('endingen'), {
      organizationId: id,
      slug: 'endingen',
    });
    const { stderr } = await runCli(edit('Endingen', '--clear', 'license-url'));
    assert.equal(stderr, 'Changed open-data, license-url of Endingen.\n');
    assert.equal(await store.findOpenData('endingen'), undefined);
    const [latest] = await store.listAuditEvents(id, undefined, 1);
    assert.deepEqual(latest?.changes, [
      { field: 'openData', before: 'on', after: 'off' },
      { field: 'licenseUrl', before: url, after: null },
    ]);
  });

  test('is found by every slug that the municipality had, and no other municipality gets one of them', async () => {
    const id = await add('Altenau');
    await assertSucceeds(edit('Altenau', '--open-data', 'on', '--slug', 'altenau', ...license));
    await assertSucceeds(edit('Altenau', '--slug', 'neuenau'));
    for (const slug of ['altenau', 'neuenau'])
      assert.partialDeepStrictEqual(await store.findOpenData(slug), { organizationId: id, slug: 'neuenau' });
    await add('Andernau');
    const taken = /^The slug altenau is or was another municipality's.+Choose another slug\./;
    await assertFails(edit('Andernau', '--slug', 'altenau'), 1, taken);
    await assertSucceeds(edit('Altenau', '--slug', 'altenau'));
    await assertSucceeds(workspace.withDatabase('organization', 'remove', 'Altenau', '--yes'));
    assert.equal(await store.findOpenData('altenau'), undefined);
    await assertFails(edit('Andernau', '--slug', 'altenau'), 1, taken);
  });
});

suite('organization edit --logo', () => {
  const edit = (...args: string[]) => workspace.withDatabase('organization', 'edit', 'Bildstadt', ...args);
  const write = workspace.writeFile;
  const readLogo = async () =>
    (await list()).find(({ name }: { name: string }) => name === 'Bildstadt')?.logo ?? null;

  test('stores an image whatever its name, and --clear logo removes it', async (t) => {
    await assertSucceeds(workspace.withDatabase('organization', 'add', 'Bildstadt'));
    const { stdout, stderr } = await runCli(edit('--logo', write('wappen.txt', jpegImage)));
    assert.equal(stderr, 'Changed logo of Bildstadt.\n');
    assert.match(stdout, /^logo +\/logos\/[0-9a-f]{32}\.jpeg$/m);
    const { url, ...facts } = await readLogo();
    assert.deepEqual(facts, { mediaType: 'image/jpeg', width: 24, height: 16 });
    const server = await startServer(t, workspace.database);
    assert.equal((await fetch(server.address + url)).headers.get('content-type'), 'image/jpeg');
    assert.match((await runCli(edit('--logo', write('same.jpg', jpegImage)))).stderr, /these values already/);
    assert.match(
      (await runCli(edit('--clear', 'logo', '--attribution', 'X'))).stderr,
      /attribution, logo of/,
    );
    assert.equal(await readLogo(), null);
  });

  test('rejects files that are no suitable image with the reason, and keeps the earlier logo', async () => {
    await assertSucceeds(edit('--logo', write('first.webp', webpImage)));
    const before = await readLogo();
    const png = createPng();
    for (const [name, content, message] of [
      [
        'large.png',
        createPng(24, 16, 0, [createPngChunk('teXt', Buffer.alloc(262_144))]),
        /larger than 256 KiB/,
      ],
      ['logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a PNG, JPEG or WebP image/],
      ['logo.png', Buffer.from('<script>alert(1)</script>'), /not a PNG/],
      ['empty.png', Buffer.alloc(0), /not a PNG/],
      ['gif.png', Buffer.from('GIF89a'), /not a PNG/],
      ['signature.png', png.subarray(0, 8), /damaged/],
      ['truncated.png', png.subarray(0, -5), /damaged/],
      ['flipped.png', Buffer.concat([png.subarray(0, 20), Buffer.from([9]), png.subarray(21)]), /damaged/],
      ['polyglot.png', Buffer.concat([png, Buffer.from('PK\x03\x04')]), /damaged, or other data/],
      ['truncated.jpg', jpegImage.subarray(0, -2), /damaged/],
      ['header.jpg', jpegImage.subarray(0, 40), /damaged/],
      ['polyglot.jpg', Buffer.concat([jpegImage, Buffer.from('<?php')]), /damaged/],
      ['truncated.webp', webpImage.subarray(0, -1), /damaged/],
      ['polyglot.webp', Buffer.concat([webpImage, Buffer.from('%PDF')]), /damaged/],
      ['animated.png', createPng(24, 16, 0, [createPngChunk('acTL', Buffer.alloc(8))]), /animated/],
      ['animated.webp', createAnimatedWebp(), /animated/],
      ['wide.png', createPng(2_001, 1), /more than 2000 pixels/],
      ['bomb.png', createPng(1, 2 ** 31 - 1), /more than 2000 pixels/],
      ['none.png', createPng(0, 16), /damaged/],
    ] as const)
      await assertFails(edit('--logo', write(name, content)), 2, message);
    await assertFails(
      edit('--logo', join(workspace.folder, 'missing.png')),
      2,
      /cannot be read: it does not exist\./,
    );
    await assertFails(edit('--logo', workspace.folder), 2, /cannot be read: it is a folder\./);
    assert.deepEqual(await readLogo(), before);
  });
});

suite('organization remove', () => {
  test('without a terminal and without --yes removes nothing and exits with 2', async () => {
    const { id, name } = await createMunicipality(workspace);
    for (const input of [undefined, `${name}\n`]) {
      const options = input === undefined ? {} : { input };
      await assertFails(
        workspace.withDatabase('organization', 'remove', id),
        2,
        /Nothing was removed\. Use --yes/,
        options,
      );
    }
    assert.ok((await list()).some((one: { id: string }) => one.id === id));
  });

  test('with --yes removes data and keys: a running server rejects the key immediately', async (t) => {
    const gone = await createMunicipality(workspace);
    const stays = await createMunicipality(workspace);
    const records = workspace.writeFile(
      'both.ndjson',
      toNdjson([{ kind: 'submission', ...createSubmission(1) }]),
    );
    for (const { id } of [gone, stays])
      await assertSucceeds(workspace.withDatabase('import', 'rostra', records, '--organization', id));
    const server = await startServer(t, workspace.database);
    assert.equal((await server.get('/me', { key: gone.key })).status, 200);
    const { stdout } = await runCli(workspace.withDatabase('organization', 'remove', gone.name, '--yes'));
    assert.equal(stdout, '');
    assert.equal((await server.get('/me', { key: gone.key })).status, 401);
    assert.equal((await server.get('/submissions', { key: stays.key })).json.data.length, 1);
    for (const table of ['submission', 'api_key', 'rate_window']) {
      const left = await workspace.sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [gone.id]);
      assert.deepEqual(left, [], table);
    }
    await assertFails(
      workspace.withDatabase('organization', 'remove', gone.id, '--yes'),
      1,
      /Unknown municipality/,
    );
  });

  test('reports an unknown municipality and the command that lists all', async () => {
    await assertFails(
      workspace.withDatabase('organization', 'remove', 'Nirgendwo', '--yes'),
      1,
      /Unknown municipality "Nirgendwo"\. "rostra organization list"/,
    );
  });

  test('prefers the municipality with the id to one with the id as its name', async () => {
    const meant = await createMunicipality(workspace);
    const namesake = await assertSucceeds(workspace.withDatabase('organization', 'add', meant.id));
    await assertSucceeds(workspace.withDatabase('organization', 'remove', meant.id.toUpperCase(), '--yes'));
    const ids = (await list()).map(({ id }: { id: string }) => id);
    assert.ok(!ids.includes(meant.id));
    assert.ok(ids.includes(namesake));
  });
});

test('survey list shows the surveys of one municipality with the path of their results', async (t) => {
  const workspace = await createCliWorkspace(t);
  const town = await createMunicipality(workspace, 'Bergen');
  const survey = { kind: 'survey', status: 'closed', totalResponses: 512, questions: [] };
  const drafted = { ...survey, surveyId: 'b', title: 'Noch nicht', status: 'draft' };
  const records = workspace.writeFile(
    'x.ndjson',
    toNdjson([{ ...survey, surveyId: 'a', title: 'Radfahren', year: 2025 }, drafted]),
  );
  await assertSucceeds(workspace.withDatabase('import', 'rostra', records, '--organization', town.id));
  const list = (...more: string[]) =>
    assertSucceeds(workspace.withDatabase('survey', 'list', '--organization', 'Bergen', ...more));
  const listed = JSON.parse(await list('--json')).find(
    ({ title }: { title: string }) => title === 'Radfahren',
  );
  const table = await list();
  assert.match(
    table,
    new RegExp(`^Radfahren +2025 +closed +512 +/api/v1/surveys/${listed.id}/results$`, 'm'),
  );
  assert.match(table, /^Noch nicht +– +draft +0 +–$/m);
  const server = await startServer(t, workspace.database);
  assert.equal(
    (await server.get(`/surveys/${listed.id}/results`, { key: town.key })).json.data.title,
    'Radfahren',
  );
});

test('every command with --organization rejects an unknown municipality', async () => {
  const sentence = /Unknown municipality "Nirgendwo"/;
  await assertFails(
    workspace.withDatabase('key', 'issue', '--organization', 'Nirgendwo', '--name', 'x'),
    1,
    sentence,
  );
  await assertFails(workspace.withDatabase('key', 'list', '--organization', 'Nirgendwo'), 1, sentence);
  await assertFails(
    workspace.withDatabase('import', 'rostra', '-', '--organization', 'Nirgendwo'),
    1,
    sentence,
  );
});

test('key list rejects an empty --organization instead of listing all keys', async () => {
  await assertFails(
    workspace.withDatabase('key', 'list', '--organization', ''),
    1,
    /Unknown municipality ""/,
  );
});
