import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { generateKey } from '../../src/domain/keys/api-key.ts';
import { fileSchema } from '../../src/program/cli/provisioning/file-schema.ts';
import { openStore } from '../../src/store/open.ts';
import { assertFails, assertSucceeds, createCliWorkspace, runCli } from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import { startServer } from '../support/server.ts';

const workspace = await createCliWorkspace({ after });
await assertSucceeds(workspace.withDatabase('organization', 'add', 'Zuerst'));
const store = await openStore({ ...storeDefaults, database: workspace.database });
after(() => store.close());
const folder = workspace.folder;

let files = 0;
async function writeYaml(content: string | Buffer): Promise<string> {
  files += 1;
  const path = join(folder, `provisioning-${files}.yaml`);
  await writeFile(path, content);
  return path;
}

const withFile = async (content: string | Buffer, ...flags: string[]) =>
  workspace.withDatabase('apply', await writeYaml(content), ...flags);
const apply = async (content: string | Buffer, ...flags: string[]) =>
  runCli(await withFile(content, ...flags));
const assertApplied = async (content: string, ...flags: string[]) =>
  assertSucceeds(await withFile(content, ...flags));
const countEvents = async () => (await store.listAuditEvents(undefined, undefined, 100_000)).length;

function createKey(): { secret: string; hash: string; prefix: string } {
  const secret = generateKey();
  return { secret, hash: createHash('sha256').update(secret).digest('hex'), prefix: secret.slice(0, 16) };
}

suite('apply', () => {
  test('adds everything of the file, and a second run changes and records nothing', async (t) => {
    const key = createKey();
    const yaml = `
organizations:
  - name: Musterstadt
    timeZone: Europe/Vienna
    license: { name: CC-BY-4.0 }
    contact: { email: amt@stadt.example }
    keys:
      - { name: Portal, hash: ${key.hash}, prefix: ${key.prefix}, expires: 2099-06-30, limit: 77 }
    sources:
      - { name: Requests, format: rostra, url: "https://stadt.example/data.json", every: 1d, redact: [email] }
  - name: Beispielburg
accounts:
  - email: Anna@stadt.example
    roles:
      - { organization: Musterstadt, role: administrator }
      - { organization: Beispielburg, role: reader }
  - { email: olga@stadt.example, operator: true }
`;
    const dryRun = await assertApplied(yaml, '--dry-run');
    assert.match(dryRun, /^\+ organization Musterstadt$/m);
    assert.equal(await store.findOrganization('Musterstadt'), undefined);
    assert.equal(await assertApplied(yaml), dryRun);

    const town = await store.findOrganization('Musterstadt');
    assert.equal(town?.timeZone, 'Europe/Vienna');
    assert.equal(town.license?.name, 'CC-BY-4.0');
    assert.equal((await store.findOrganization('Beispielburg'))?.timeZone, 'Europe/Berlin');
    const [stored] = await store.listKeys(town.id);
    assert.deepEqual(
      [stored?.name, stored?.prefix, stored?.requestLimit, stored?.expiresAt, stored?.createdBy],
      ['Portal', key.prefix, 77, '2099-06-30T23:59:59.999Z', 'apply'],
    );
    const source = await store.findSource({ organizationId: town.id, name: 'Requests' });
    assert.deepEqual([source?.intervalMs, source?.redaction.kinds], [86_400_000, ['email']]);
    const anna = await store.findAccount('anna@stadt.example');
    assert.deepEqual(
      anna?.roles.map(({ organizationName, role }) => [organizationName, role]),
      [
        ['Beispielburg', 'reader'],
        ['Musterstadt', 'administrator'],
      ],
    );
    assert.equal((await store.findAccount('olga@stadt.example'))?.isOperator, true);
    const events = await store.listAuditEvents(town.id, undefined, 10);
    assert.deepEqual(
      events.map(({ action, actor }) => `${action} by ${actor}`).sort(),
      ['account.added', 'key.issued', 'organization.added', 'source.added'].map((one) => `${one} by apply`),
    );
    const server = await startServer(t, workspace.database);
    assert.equal((await server.get('/me', { key: key.secret })).status, 200);

    const before = await countEvents();
    const again = await apply(yaml);
    assert.deepEqual([again.code, again.stdout], [0, '']);
    assert.match(again.stderr, /^Nothing to change: 6 unchanged\.$/m);
    assert.equal(await countEvents(), before);

    const json = JSON.parse(await assertApplied(yaml, '--json'));
    assert.deepEqual(json, { dryRun: false, changes: [], unchanged: 6, warnings: [] });
  });

  test('switches open data on, and reports a missing licence, a missing slug and a taken slug before anything is written', async () => {
    const yaml = (...entries: string[]) => `organizations:\n${entries.map((one) => `  - ${one}\n`).join('')}`;
    const license = 'license: { name: CC0-1.0 }';
    await assertApplied(
      yaml(`{ name: Offenau, slug: offenau, openData: on, openDataIndex: on, ${license} }`),
    );
    const { id = '', openDataIndex } = (await store.findOrganization('Offenau')) ?? {};
    assert.equal(openDataIndex, 'on');
    assert.partialDeepStrictEqual(await store.findOpenData('offenau'), {
      organizationId: id,
      slug: 'offenau',
    });
    await assertApplied(yaml('{ name: Offenau, slug: offenau-2 }'));
    for (const [entry, problem] of [
      ['{ name: Ohne, slug: ohne, openData: on }', /:2:\d+: Open data needs a licence/],
      [`{ name: Ohne, openData: on, ${license} }`, /:2:\d+: Open data needs a slug/],
      ['{ name: Ohne, slug: offenau }', /:2:\d+: The slug offenau is or was another municipality's/],
      ['{ name: Offenau, slug: null }', /:2:\d+: Open data needs a slug/],
      ['{ name: Ohne, slug: robots }', /slug must .*be none of/],
      ['{ name: Ohne, openData: maybe }', /must be on or off/],
    ] as const) {
      const { code, stderr } = await apply(yaml(entry));
      assert.notEqual(code, 0);
      assert.match(stderr, problem);
    }
    assert.match(
      (await apply(yaml('{ name: Eins, slug: zwilling }', '{ name: Zwei, slug: zwilling }'))).stderr,
      /:3:\d+: The slug zwilling/,
    );
    assert.equal(await store.findOrganization('Ohne'), undefined);
    await assertApplied(yaml('{ name: Offenau, license: null }'));
    assert.equal((await store.findOrganization('Offenau'))?.openData, 'off');
  });

  test('changes what differs, shows old and new values, and leaves alone what the file does not mention', async () => {
    const [a, b] = [createKey(), createKey()];
    const keys = (first: string) =>
      `keys: [{ name: One, hash: ${a.hash}, prefix: ${a.prefix}${first} }, { name: Two, hash: ${b.hash}, prefix: ${b.prefix} }]`;
    await assertApplied(
      `organizations: [{ name: Altstadt, attribution: Altes Amt, ${keys(', limit: 5, contact: IT')} }]`,
    );
    const town = await store.findOrganization('Altstadt');
    const changed = await assertApplied(
      `organizations: [{ id: ${town?.id}, name: Neustadt, contact: { name: Amt }, ${keys(', limit: null')} }]`,
    );
    assert.equal(
      changed,
      [
        '~ organization Altstadt',
        '    name: Altstadt → Neustadt',
        '    contactName: none → Amt',
        `~ key One (${a.prefix}) of Neustadt`,
        '    requestLimit: 5 → none',
      ].join('\n'),
    );
    const renamed = await store.findOrganization('Neustadt');
    assert.deepEqual([renamed?.id, renamed?.attribution], [town?.id, 'Altes Amt']);
    const stored = await store.listKeys(town?.id);
    assert.equal(stored.find(({ name }) => name === 'One')?.contact, 'IT');

    const revoked = `organizations: [{ name: Neustadt, keys: [{ name: Two, hash: ${b.hash}, prefix: ${b.prefix}, revoked: true }] }]`;
    assert.equal(await assertApplied(revoked), `- key Two (${b.prefix}) of Neustadt`);
    assert.match((await apply(revoked)).stderr, /Nothing to change/);
    const listed = await apply(revoked.replace(', revoked: true', ''));
    assert.match(listed.stderr, /^Warning: The key Two .* was revoked, and stays revoked\.$/m);
    assert.equal((await store.listKeys(town?.id)).filter(({ state }) => state === 'active').length, 1);
  });

  test('adds and changes roles of accounts', async () => {
    await assertApplied(`organizations: [{ name: Rolle A }, { name: Rolle B }]
accounts: [{ email: rolle@stadt.example, roles: [{ organization: Rolle A, role: reader }] }]`);
    const yaml = `accounts: [{ email: rolle@stadt.example, roles: [{ organization: Rolle A, role: administrator }, { organization: Rolle B, role: reader }] }]`;
    assert.match(await assertApplied(yaml), /role: reader → administrator/);
    assert.equal((await store.findAccount('rolle@stadt.example'))?.roles.length, 2);
    assert.match((await apply(yaml)).stderr, /Nothing to change/);
    const tasks = (entry: string) =>
      `accounts: [{ email: rolle@stadt.example, roles: [{ organization: Rolle A, ${entry} }] }]`;
    const some = tasks('permissions: [publish, import]');
    assert.match(await assertApplied(some), /role: administrator → import, publish/);
    assert.match((await apply(some)).stderr, /Nothing to change/);
    assert.match(await assertApplied(tasks('permissions: []')), /role: import, publish → reader/);
    for (const wrong of ['role: reader, permissions: [keys]', 'permissions: [see]', 'permissions: keys'])
      assert.notEqual((await apply(tasks(wrong))).code, 0, wrong);
    for (const wrong of ['role: reeder', 'permissions: [publsh]']) {
      const { code, stderr } = await apply(tasks(wrong));
      assert.notEqual(code, 0, stderr);
      assert.doesNotMatch(stderr, /either "role" or "permissions"/);
    }
    assert.match((await apply(tasks(''))).stderr, /either "role" or "permissions"/);
    await assertApplied(`organizations: [{ name: Rolle C }]
accounts: [{ email: aufgabe@stadt.example, roles: [{ organization: Rolle C, permissions: [keys] }] }]`);
    assert.deepEqual((await store.findAccount('aufgabe@stadt.example'))?.roles[0]?.permissions, [
      'see',
      'keys',
    ]);
  });

  test('reads standard input and JSON', async () => {
    const input = JSON.stringify({ organizations: [{ name: 'Jsonstadt', timeZone: 'UTC' }] });
    assert.equal(
      await assertSucceeds(workspace.withDatabase('apply', '-'), { input }),
      '+ organization Jsonstadt',
    );
  });

  test('reads hashes of digits, a byte order mark, a symbolic link, and files of options beside the file', async () => {
    const hash = `${'1'.repeat(30)}e${'1'.repeat(33)}`;
    await mkdir(join(folder, 'beside'), { recursive: true });
    const mapping = 'submission:\n  id: id\n  description: title\n  createdAt: created\n';
    await writeFile(join(folder, 'beside', 'mapping.yaml'), mapping);
    const path = join(folder, 'beside', 'file.yaml');
    await writeFile(
      path,
      `\ufefforganizations: [{ name: Ziffernstadt, keys: [{ name: "1", hash: ${hash}, prefix: sk_rostra_111111 }],
  sources: [{ name: Table, format: table, options: { mapping: mapping.yaml } }] }]\naccounts:\n`,
    );
    const link = join(folder, 'beside', 'link.yaml');
    await symlink(path, link);
    await assertSucceeds(workspace.withDatabase('apply', link));
    const town = await store.findOrganization('Ziffernstadt');
    const source = await store.findSource({ organizationId: town?.id ?? '', name: 'Table' });
    assert.equal(source?.options.mapping, mapping);
  });

  test('rejects a key of another municipality, a name in use, and other contradictions with the database', async () => {
    const key = createKey();
    const [one, other] = [randomUUID(), randomUUID()];
    const own = `keys: [{ name: Key, hash: ${key.hash}, prefix: ${key.prefix} }]`;
    await assertApplied(`organizations: [{ id: ${one}, name: Eins, ${own} }, { id: ${other}, name: Zwei,
  sources: [{ name: S, format: rostra }] }]\naccounts: [{ email: op@stadt.example, operator: true }]`);
    const before = await countEvents();
    const cases: [string, RegExp][] = [
      [
        `organizations: [{ name: Zwei, ${own} }]`,
        /:1:\d+: The key sk_rostra_\w+ belongs to another municipality/,
      ],
      [`organizations: [{ id: ${other}, name: Eins }]`, /Another municipality has the name Eins/],
      [`organizations: [{ id: ${randomUUID()}, name: Eins }]`, /Another municipality has the name Eins/],
      [
        `organizations: [{ name: Eins, keys: [{ name: Key, hash: ${key.hash}, prefix: sk_rostra_000000 }] }]`,
        /The stored prefix of this key is/,
      ],
      ['organizations: [{ name: Zwei, sources: [{ name: S, format: table }] }]', /has the format rostra/],
      [
        'accounts: [{ email: op@stadt.example, roles: [{ organization: Eins, role: reader }] }]',
        /is an operator\. Remove the account first/,
      ],
      ['accounts: [{ email: new@stadt.example }]', /needs roles, or "operator: true"/],
      [
        'accounts: [{ email: new@stadt.example, roles: [{ organization: Ein, role: reader }] }]',
        /Unknown municipality "Ein"\. Did you mean "Eins"\?/,
      ],
    ];
    for (const [yaml, message] of cases) {
      const more = yaml.startsWith('accounts') ? `organizations: [{ name: Nie }]\n${yaml}` : `${yaml}\n`;
      await assertFails(await withFile(more), 1, message);
    }
    assert.equal(await store.findOrganization('Nie'), undefined);
    assert.equal(await countEvents(), before);
  });

  test('sets no expiry in the past, and leaves keys that have expired as they are', async () => {
    const [stored, unknown] = [createKey(), createKey()];
    const compose = (...keys: string[]) => `organizations:\n  - name: Ablauf\n    keys:\n${keys.join('')}`;
    const describe = ({ hash, prefix }: typeof stored, expires: string) =>
      `      - { name: K, hash: ${hash}, prefix: ${prefix}, expires: ${expires} }\n`;
    await assertApplied(compose(describe(stored, '2099-06-30')));
    await assertFails(
      await withFile(compose(describe(stored, '2020-01-01'))),
      1,
      /:4:\d+: The expiry of the key \S+ is in the past: 2020-01-01T23:59:59\.999Z\. Enter a later one, or remove this property\./,
    );
    // As after a rotation, whose end of the old key is before that of the file.
    await workspace.sql("UPDATE api_key SET expires_at = '2019-05-05T10:00:00.000Z' WHERE prefix = $1", [
      stored.prefix,
    ]);
    const again = await apply(compose(describe(stored, '2020-01-01'), describe(unknown, '2020-01-01')));
    assert.deepEqual([again.code, again.stdout], [0, '']);
    assert.match(again.stderr, /The key K \(\S+\) of Ablauf has expired, so it is not added\./);
    const town = await store.findOrganization('Ablauf');
    assert.deepEqual(
      (await store.listKeys(town?.id)).map(({ expiresAt }) => expiresAt),
      ['2019-05-05T10:00:00.000Z'],
    );
    assert.match(await assertApplied(compose(describe(stored, '2099-06-30'))), /^~ key K /m);
  });

  test('reports all mistakes at once with line and column, also those that need the database, and writes nothing', async () => {
    const hash = 'a'.repeat(64);
    const yaml = `organizations:
  - name: Fehlerstadt
    timezone: UTC
    timeZone: Mars/Olympus
    keys:
      - name: K
        hash: abc
        prefix: sk_rostra_Ab3dE6
        limit: many
      - { name: K, hash: ${hash}, prefix: sk_rostra_Ab3dE6, expires: tomorrow }
    sources:
      - name: S
      - { name: S, format: table, url: "ftp://x.example", timeZone: UTC, options: { mapping: none.yaml, sheet: 1 } }
      - { name: T, format: tabel, url: "http://x.example", redactCountry: "", redactPatterns: { "1": "(", "2": "[" } }
  - []
  - { timeZone: UTC, redactionTerms: "Huber\\nNr = /K-(/", keys: [{ name: K, hash: ${hash}, prefix: sk_rostra_Ab3dE6 }] }
  - { name: Zwilling }
  - { name: Zwilling, name: Zwilling, sources: [{ name: U, format: rostra, every: 1d }] }
accounts:
  - email: nobody
    operator: maybe
    password: secret
    roles: [{ organization: Zwillin, role: reader }]
  - { email: new@stadt.example, roles: [{ organization: Fehlerstad, role: reader }] }
`;
    const { code, stderr } = await apply(yaml);
    assert.equal(code, 1);
    for (const expected of [
      ':3:5: Unknown property "timezone" of organizations[0]. Did you mean "timeZone"?',
      ':4:15: organizations[0].timeZone must be an IANA time zone such as Europe/Berlin.',
      ':7:15: organizations[0].keys[0].hash must be the SHA-256 of the key: 64 hexadecimal digits.',
      ':9:16: organizations[0].keys[0].limit must be',
      'organizations[0].keys[1].expires must be a date',
      ':12:9: organizations[0].sources[0].format is missing.',
      ':15:5: organizations[1] must be "name: value" lines',
      ':13:9: The source S occurs twice.',
      `:13:9: Source S: "ftp://x.example" is not an https URL. There is no file ${join(folder, 'none.yaml')}.`,
      ':14:9: Source T: "http://x.example" is not an https URL. Unknown format "tabel".',
      ':14:75: organizations[0].sources[2].redactCountry must be a country code such as DE, AT or CH.',
      '"1" is not the name of a pattern',
      '"2" is not the name of a pattern',
      ':16:5: organizations[2].name is missing.',
      ':16:38: organizations[2].redactionTerms must have words of at least two characters',
      'one on each line; line 2 is invalid.',
      'The key sk_rostra_Ab3dE6 occurs twice.',
      ':18:5: The municipality Zwilling occurs twice.',
      ':18:23: Map keys must be unique.',
      'Source U: Only a source with an address can have a schedule.',
      ':20:12: accounts[0].email must be an email address',
      ':21:15: accounts[0].operator must be true or false.',
      ':22:5: Unknown property "password" of accounts[0]. Known: email and operator and roles.',
      'Unknown municipality "Zwillin". Did you mean "Zwilling"?',
      'Unknown municipality "Fehlerstad". Did you mean "Fehlerstadt"?',
    ])
      assert.ok(stderr.includes(expected), `${expected}\n${stderr}`);
    assert.doesNotMatch(stderr, /needs roles/);
    assert.match(stderr, /Nothing was changed\.$/m);
    assert.equal(await store.findOrganization('Fehlerstadt'), undefined);
  });

  const key = `{ name: K, hash: ${'b'.repeat(64)}, prefix: sk_rostra_Ab3dE6 }`;
  const malformed: [string, string | Buffer, RegExp][] = [
    ['an empty file', '', /The file is empty\. It needs organizations or accounts\./],
    ['a comment only', '# nothing\n', /The file is empty/],
    ['a list', '- name: X\n', /The file must be "name: value" lines with organizations or accounts/],
    ['a tab as indentation', 'organizations:\n\t- name: X\n', /:2:1: /],
    ['a repeated property', 'organizations: []\norganizations: []\n', /:2:1: Map keys must be unique\./],
    ['two documents', 'organizations: []\n---\naccounts: []\n', /documents/],
    ['an unclosed list', 'organizations: [\n', /:\d+:\d+: /],
    ['an alias', `organizations: [{ name: &x A }, { name: *x }]`, /must not be an alias/],
    [
      'an alias bomb',
      `a: &a [x, x]\nb: &b [*a, *a]\norganizations: *b\n`,
      /organizations must not be an alias/,
    ],
    [
      'a repeated municipality',
      'organizations: [{ name: A }, { name: A }]',
      /The municipality A occurs twice/,
    ],
    [
      'a repeated key',
      `organizations: [{ name: A, keys: [${key}] }, { name: B, keys: [${key}] }]`,
      /occurs twice/,
    ],
    [
      'a repeated account',
      'accounts: [{ email: x@y.example, operator: true }, { email: X@y.example, operator: true }]',
      /The account x@y\.example occurs twice/,
    ],
    [
      'a repeated source',
      'organizations: [{ name: A, sources: [{ name: S, format: rostra }, { name: S, format: rostra }] }]',
      /The source S occurs twice/,
    ],
    [
      'a name of a prototype',
      'organizations: [{ name: A, constructor: x, __proto__: y }]',
      /Unknown property "constructor"/,
    ],
    [
      'a source with a password',
      'organizations: [{ name: A, sources: [{ name: S, format: rostra, url: "https://u:p@x.example/" }] }]',
      /Source S: /,
    ],
    [
      'a licence of a source without a web address',
      'organizations: [{ name: A, sources: [{ name: S, format: rostra, options: { licenseUrl: "ftp://x.example/" } }] }]',
      /Source S: .*--license-url.* full address/,
    ],
    [
      'another encoding',
      Buffer.from('organizations: [{ name: K\xf6ln }]', 'latin1'),
      /cannot be read: it is not UTF-8/,
    ],
  ];
  for (const [what, content, message] of malformed) {
    test(`rejects ${what}`, async () => {
      const before = await countEvents();
      const { code, stdout, stderr } = await apply(content);
      assert.ok(code === 1 || code === 2, stderr);
      assert.match(stderr, message);
      assert.equal(stdout, '');
      assert.equal(await countEvents(), before);
    });
  }

  test('rejects a missing file and a folder', async () => {
    await assertFails(workspace.withDatabase('apply', join(folder, 'none.yaml')), 2, /it does not exist/);
    await assertFails(workspace.withDatabase('apply', folder), 2, /it is a folder/);
    await assertFails(workspace.withDatabase('apply'), 2, /missing required argument 'file'/);
  });
});

test('the sample matches the published schema and is applied', async () => {
  const sample = await readFile('examples/provisioning/two-municipalities.yaml', 'utf8');
  const ajv = new Ajv({ allErrors: true, strictTypes: false });
  addFormats.default(ajv);
  const validate = ajv.compile(fileSchema);
  assert.ok(validate(parse(sample)), JSON.stringify(validate.errors));
  assert.ok(!validate({ organizations: [{ nam: 'X' }] }));
  assert.ok((await readFile('docs/provisioning.md', 'utf8')).includes(sample));
  await assertSucceeds(workspace.withDatabase('apply', 'examples/provisioning/two-municipalities.yaml'));
});

test('key generate prints a key whose hash and prefix apply accepts', async (t) => {
  const { key, hash, prefix } = JSON.parse(await assertSucceeds(['key', 'generate', '--json']));
  await assertApplied(
    `organizations: [{ name: Schlüsselstadt, keys: [{ name: Own, hash: ${hash}, prefix: ${prefix} }] }]`,
  );
  const server = await startServer(t, workspace.database);
  assert.equal((await server.get('/me', { key })).status, 200);
  const { stdout, stderr } = await runCli(['key', 'generate']);
  assert.match(stdout, /^sk_rostra_[0-9A-Za-z]{36}\n$/);
  assert.ok(stderr.includes(`hash: ${createHash('sha256').update(stdout.trim()).digest('hex')}`));
});

test('organization edit --name changes the name only, and the API returns it', async (t) => {
  await assertSucceeds(workspace.withDatabase('organization', 'add', 'Vorher', '--time-zone', 'UTC'));
  const edit = (nameOrId: string, name: string) =>
    workspace.withDatabase('organization', 'edit', nameOrId, '--name', name);
  const rename = (nameOrId: string, name: string) => runCli(edit(nameOrId, name));
  const before = await store.findOrganization('Vorher');
  const { stderr } = await rename('Vorher', 'Nachher');
  assert.equal(stderr.trim(), 'Changed name of Vorher.');
  assert.deepEqual(await store.findOrganization('Nachher'), { ...before, name: 'Nachher' });
  const [event] = await store.listAuditEvents(before?.id, undefined, 1);
  assert.deepEqual(event?.changes, [{ field: 'name', before: 'Vorher', after: 'Nachher' }]);
  const { key } = JSON.parse(
    await assertSucceeds(
      workspace.withDatabase('key', 'issue', '--organization', 'Nachher', '--name', 'X', '--json'),
    ),
  );
  const server = await startServer(t, workspace.database);
  const read = async () => JSON.parse(String((await server.get('/organization', { key })).body)).data.name;
  assert.equal(await read(), 'Nachher');
  await rename(before?.id ?? '', 'Endlich');
  assert.equal(await read(), 'Endlich');
  const again = await rename('Endlich', 'Endlich');
  assert.equal(again.stderr.trim(), 'Endlich has these values already.');
  await assertFails(edit('Endlich', 'Zuerst'), 1, /has the name Zuerst/);
  await assertFails(edit('Nirgends', 'X'), 1, /^Unknown municipality/);
  await assertFails(edit('Endlich', ' '), 2, /1 to 200 characters/);
});

suite('--if-missing', () => {
  test('succeeds and changes nothing if the object exists', async () => {
    const add = (...args: string[]) => workspace.withDatabase(...args, '--if-missing');
    const commands = [
      ['organization', 'add', 'Einmalstadt', '--time-zone', 'Europe/Vienna'],
      ['admin', 'add', 'einmal@stadt.example', '--organization', 'Einmalstadt', '--role', 'reader'],
      ['admin', 'add', 'einmal-op@stadt.example'],
      ['source', 'add', 'Once', '--organization', 'Einmalstadt', '--format', 'rostra'],
    ];
    for (const command of commands) await assertSucceeds(add(...command));
    const before = await countEvents();
    for (const command of commands) {
      const { code, stderr } = await runCli(add(...command));
      assert.equal(code, 0, stderr);
      assert.match(stderr, /Nothing changed/);
    }
    assert.equal(await countEvents(), before);
    const { id, timeZone } = JSON.parse(
      await assertSucceeds(add('organization', 'add', 'Einmalstadt', '--json')),
    );
    assert.equal(timeZone, 'Europe/Vienna');
    assert.equal(await assertSucceeds(add('organization', 'add', 'Einmalstadt')), id);
    const other = ['organization', 'add', 'Einmalstadt', '--id', randomUUID()];
    await assertFails(add(...other), 1, /exists already with another id/);
    await assertFails(add('organization', 'add', 'X', '--time-zone', 'Mars'), 2, /time zone/);
  });

  test('adds a role in another municipality, and prints a link only for an account without a password', async () => {
    for (const name of ['Amt A', 'Amt B'])
      await assertSucceeds(workspace.withDatabase('organization', 'add', name));
    const add = (of: string) =>
      workspace.withDatabase('admin', 'add', 'amt@stadt.example', '--organization', of);
    await assertSucceeds(add('Amt A'));
    const { stdout, stderr } = await runCli(add('Amt B'));
    assert.match(stdout, /\/admin\/invitation\//);
    assert.match(stderr, /an administrator of Amt A and an administrator of Amt B/);
    const role = (...more: string[]) =>
      workspace.withDatabase('admin', 'role', 'amt@stadt.example', 'reader', ...more);
    await assertFails(role(), 2, /has roles in Amt A, Amt B\. Name the municipality with --organization/);
    await assertSucceeds(role('--organization', 'Amt B'));
    await assertFails(role('--organization', 'Zuerst'), 1, /has no role in Zuerst/);
    const remove = ['admin', 'remove', 'amt@stadt.example', '--organization', 'Amt A'];
    const removed = await runCli(workspace.withDatabase(...remove));
    assert.match(removed.stderr, /no longer an administrator of Amt A, but still a reader of Amt B/);
    assert.equal((await store.findAccount('amt@stadt.example'))?.roles.length, 1);
  });
});
