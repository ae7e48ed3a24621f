/** The imports in src/ follow the tables in ARCHITECTURE.md, and no file imports itself in a circle. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { roomImports } from './room-imports.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

interface Import {
  /** File below the folder. */
  from: string;
  /** Path from the folder, or the name of a package. */
  to: string;
  /** The import is erased at run time. */
  typeOnly: boolean;
  /** `import()` loads the file when it is needed. */
  isDynamic: boolean;
  ours: boolean;
  names: string;
}

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** These have packages of their own. */
const packages = ['client', 'mirror'];
const packagesFolder = fileURLToPath(new URL('../../packages/', import.meta.url));
const locatePackage = (name: string) => join(packagesFolder, name, 'src');

/** @param path absolute. @returns its name below `src/`, or below the name of its package */
const nameFile = (path: string) => relative(source, path).replace(/^\.\.\/packages\/(\w+)\/src\//, '$1/');

const readImports = (folder: string): Import[] =>
  listFiles(folder).flatMap((from): Import[] => {
    const text = readFileSync(join(folder, from), 'utf8');
    const lines =
      /^(?:import\s+(?:(?<type>type\s+)?(?<names>[^'"]+?)\s+from\s+)?|export\s+(?<type>type\s+)?(?<names>\{[^}]*\}|\*[^'"]*?)\s+from\s+)'(?<specifier>[^']+)'/gm;
    const resolve = (specifier: string) => {
      const ours = specifier.startsWith('.') && !specifier.endsWith('/package.json');
      return {
        ours,
        to: ours ? nameFile(join(folder, dirname(from), specifier)) : specifier,
      };
    };
    const inExpressions = /(?<type>typeof\s+)?\bimport\(\s*'(?<specifier>[^']+)'\s*\)(?<member>\.[A-Z])?/g;
    const dynamic = [...text.matchAll(inExpressions)].map(({ groups = {} }) => ({
      ...{ from, ...resolve(groups.specifier as string), names: '' },
      // `import('…').Name` is a type, `import('…').then` is not.
      ...{ typeOnly: (groups.type ?? groups.member) !== undefined, isDynamic: true },
    }));
    const listed = [...text.matchAll(lines)].map(({ groups = {} }) => {
      const { type, names = '', specifier = '' } = groups;
      const single = names
        .replace(/[{}]/g, '')
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean);
      const typeOnly =
        type !== undefined || (single.length > 0 && single.every((name) => name.startsWith('type ')));
      return { from, ...resolve(specifier), typeOnly, isDynamic: false, names };
    });
    return [...listed, ...dynamic];
  });

function locate(file: string): string {
  const [first = '', ...others] = file.split('/');
  return packages.includes(first) ? join(locatePackage(first), ...others) : join(source, file);
}

const files = [
  ...listFiles(source),
  ...packages.flatMap((name) => listFiles(locatePackage(name)).map((file) => `${name}/${file}`)),
];
const imports = [
  ...readImports(source),
  ...packages.flatMap((name) =>
    readImports(locatePackage(name)).map((found) => ({ ...found, from: `${name}/${found.from}` })),
  ),
];

/** A folder of src/, or the file itself at its top. */
const getWing = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : file);

/** A folder of a wing, or the wing for its loose files. `domain` and `store` are one room each, except the reasons. */
function getRoom(file: string): string {
  const [wing = '', folder = ''] = file.split('/');
  if (!file.includes('/') || packages.includes(wing)) return wing;
  const isRoom = wing === 'domain' ? folder === 'reasons' : wing !== 'store';
  return isRoom && !folder.endsWith('.ts') ? `${wing}/${folder}` : wing;
}

const architecture = readFileSync(join(source, '../ARCHITECTURE.md'), 'utf8');
const contributing = readFileSync(join(source, '../CONTRIBUTING.md'), 'utf8');

/** Wing → the wings that it may import, from the table in ARCHITECTURE.md. */
const allowed = Object.fromEntries(
  [...architecture.matchAll(/^\| `(?:src|packages)\/([\w.-]+)(?:\/src)?\/?` \|[^|]*\|([^|]*)\|$/gm)].map(
    ([, name = '', imported = '']) => [
      name,
      [...imported.matchAll(/`([\w.-]+)`/g)].map(([, other = '']) => other),
    ],
  ),
);

/** The rooms of `ingest` in the order of its table. */
const ingestOrder = [...architecture.matchAll(/^\| `(ingest(?:\/[\w-]+)?)\/?` \|[^|]*\|$/gm)].map(
  ([, name = '']) => name,
);

const between = (getPart: (file: string) => string) =>
  imports.filter(({ from, to, ours }) => ours && getPart(from) !== getPart(to));

test('the pattern finds every import, and each leads to a file', () => {
  assert.ok(files.length > 40 && imports.length > 100);
  for (const { to, from, ours } of imports) if (ours) assert.ok(files.includes(to), `${from} imports ${to}`);
  const lines = files.reduce(
    (sum, file) => sum + (readFileSync(locate(file), 'utf8').match(/^import\b/gm)?.length ?? 0),
    0,
  );
  const statements = imports.filter(({ isDynamic }) => !isDynamic);
  const exports = statements.length - lines;
  assert.ok(exports >= 0 && exports < 10, `${lines} lines of import, ${statements.length} found`);
  assert.ok(imports.length > statements.length + 30);
});

test('every wing imports only the wings that ARCHITECTURE.md allows, and each of them', () => {
  assert.deepEqual(new Set(files.map(getWing)), new Set(Object.keys(allowed)));
  const found = between(getWing);
  assert.deepEqual(
    found.filter(({ from, to }) => !allowed[getWing(from)]?.includes(getWing(to))),
    [],
  );
  const used = new Set(found.map(({ from, to }) => `${getWing(from)} imports ${getWing(to)}`));
  const listed = Object.entries(allowed).flatMap(([from, wings]) =>
    wings.map((to) => `${from} imports ${to}`),
  );
  assert.deepEqual(new Set(listed), used, 'remove from the table what no file imports');
});

test('every room of ingest imports only rooms above it in the table of ARCHITECTURE.md', () => {
  const inIngest = (file: string) => getWing(file) === 'ingest';
  assert.deepEqual(new Set(files.filter(inIngest).map(getRoom)), new Set(ingestOrder));
  const backwards = between(getRoom).filter(
    ({ from, to }) =>
      inIngest(from) && inIngest(to) && ingestOrder.indexOf(getRoom(from)) < ingestOrder.indexOf(getRoom(to)),
  );
  assert.deepEqual(backwards, []);
});

test('the rooms import each other as listed, and the list only gets shorter', () => {
  const found = Map.groupBy(between(getRoom), ({ from }) => getRoom(from));
  const current = Object.fromEntries(
    [...found].map(([from, list]) => [from, [...new Set(list.map(({ to }) => getRoom(to)))].toSorted()]),
  );
  assert.deepEqual(current, roomImports);
});

test('CONTRIBUTING.md names the tests of each room', () => {
  const rows = contributing.matchAll(/^\| ((?:`[a-z/-]+`(?:, )?)+) \| ([^|]*) \|$/gm);
  const names = [...rows].flatMap(([, rooms = '']) =>
    [...rooms.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const rooms = new Set(files.map(getRoom).filter((room) => !/\.ts$|^client/.test(room)));
  assert.deepEqual(names.toSorted(), [...rooms].toSorted());
});

test('formats do not import each other, and only the list of formats imports their descriptions', () => {
  const getFormat = (file: string) => /^ingest\/formats\/([^/]+)\//.exec(file)?.[1];
  assert.ok(new Set(files.map(getFormat)).size > 8);
  const ofFormats = imports.filter(
    ({ from, to }) => /^ingest\/(?!connectors|runs)/.test(from) && getFormat(to) !== undefined,
  );
  const others = ofFormats.filter(
    ({ from, to }) =>
      getFormat(from) !== getFormat(to) &&
      // Tables of single answers are surveys, and a mapping must not read them.
      (getFormat(from) === undefined || getFormat(to) !== 'survey-responses'),
  );
  assert.deepEqual(new Set(others.map(({ from }) => from)), new Set(['ingest/formats/format-registry.ts']));
});

test('the list of formats loads no reader', () => {
  const loaded = new Set(['ingest/formats/format-registry.ts']);
  for (const file of loaded)
    for (const { from, to, typeOnly, isDynamic, ours } of imports)
      if (from === file && ours && !typeOnly && !isDynamic) loaded.add(to);
  assert.ok(loaded.size > 15);
  const descriptions = imports
    .filter(({ from }) => from === 'ingest/formats/format-registry.ts')
    .map(({ to }) => to);
  const heavy = [...loaded].filter(
    (file) =>
      /^ingest\/(readers\/|formats\/(?!survey-responses\/)[^/]+\/)|-reader\.ts$/.test(file) &&
      !descriptions.includes(file) &&
      !/\/(repeated-column-names|survey-metadata-entries)\.ts$/.test(file),
  );
  assert.deepEqual(heavy, []);
});

test('the admin area knows formats by their descriptions only, and drafts and validates as imports do', () => {
  const known = imports.filter(({ from, to }) => getWing(from) === 'web' && getWing(to) === 'ingest');
  assert.deepEqual(
    new Set(known.map(({ to }) => to)),
    new Set([
      'ingest/format-options.ts',
      'ingest/formats/format-registry.ts',
      'ingest/formats/table/parse-date-pattern.ts',
      'ingest/formats/table/suggestion/draft-field-mapping.ts',
      'ingest/presets/presets.ts',
      'ingest/presets/resolve-address.ts',
      'ingest/privacy/redaction/create-redactor.ts',
      'ingest/record-edits/remove-record.ts',
      'ingest/record-edits/correction-validation.ts',
    ]),
  );
});

test('only platform/assets.ts and platform/build-info.ts know where files of the program are', () => {
  for (const file of files.filter((name) => !/^platform\/(assets|build-info)\.ts$/.test(name)))
    assert.doesNotMatch(readFileSync(locate(file), 'utf8'), /\bimport\.meta\b|__dirname/, file);
});

test('only run-command.ts opens a store', () => {
  const outside = imports.filter(
    ({ from, to, typeOnly }) => !typeOnly && to.startsWith('store/') && getWing(from) !== 'store',
  );
  assert.deepEqual(
    outside.map(({ from, to }) => [from, to]),
    [['program/run-command.ts', 'store/open.ts']],
  );
});

test('only the files of an engine import its driver, and only the opening of a store imports an engine', () => {
  // On both engines, an import stores the ids it has seen in a temporary SQLite file. A mirror is an SQLite file.
  const drivers: Record<string, RegExp> = {
    'better-sqlite3':
      /^(store\/sqlite\/.*|ingest\/records\/duplicates\/seen-records|mirror\/(mirror-database|staged-changes))\.ts$/,
    'node:sqlite': /^$/,
    pg: /^store\/postgres\/.*\.ts$/,
  };
  const foreign = imports.filter(({ from, to }) => drivers[to]?.test(from) === false);
  assert.deepEqual(foreign, []);
  const engine = /^store\/(sqlite|postgres)\//;
  const users = imports
    .filter(({ from, to }) => engine.test(to) && engine.exec(from)?.[0] !== engine.exec(to)?.[0])
    .map(({ from }) => from);
  assert.deepEqual(new Set(users), new Set(['store/open.ts']));
});

test('only servers, and the connectors of imports, import HTTP', () => {
  const http = imports.filter(
    ({ from, to }) =>
      !/^(?:web\/|program\/(?!demo)|platform\/(?:http|tracing)\/|ingest\/(?:connectors|runs)\/)/.test(from) &&
      /^(fastify|(node:)?https?)$/.test(to),
  );
  assert.deepEqual(http, []);
});

test('contract and domain do no I/O, read no clock and no environment', () => {
  const pure = files.filter(
    (file) => ['contract', 'domain'].includes(getWing(file)) || file === 'platform/did-you-mean.ts',
  );
  const packages = [
    'node:crypto',
    'node:zlib',
    'typebox',
    'typebox/format',
    'csv-stringify',
    'fastest-levenshtein',
    'image-size',
  ];
  // These compute with addresses, and open no connection.
  const ofAddresses = '{ BlockList, isIP, isIPv6 }';
  const others = imports.filter(
    ({ from, to, ours, names }) =>
      pure.includes(from) && !ours && !packages.includes(to) && !(to === 'node:net' && names === ofAddresses),
  );
  assert.deepEqual(others, []);
  for (const file of pure) {
    assert.doesNotMatch(
      readFileSync(locate(file), 'utf8'),
      /Date\.now|new Date\(\)|performance\.|process\.|setTimeout|fetch\(|console\./,
      file,
    );
  }
});

function assertNoCircle(from: readonly Import[]): void {
  const next = Map.groupBy(
    from.filter(({ ours }) => ours),
    (own) => own.from,
  );
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `circular import: ${[...path, file].join(' → ')}`);
    if (done.has(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
}

test('there are no circular imports', () => assertNoCircle(imports.filter(({ isDynamic }) => !isDynamic)));

test('only files of one format import themselves in a circle through a reader that is loaded later', () => {
  const loads = imports.filter(
    ({ to, isDynamic }) => isDynamic && /^ingest\/formats\/[\w-]+\/[\w-]+-reader\.ts$/.test(to),
  );
  for (const { from, to } of loads) assert.equal(to, from.replace(/-format\.ts$/, '-reader.ts'));
  assert.ok(loads.length >= 10);
  assertNoCircle(imports.filter((found) => !loads.includes(found)));
  const reachable = (start: string) => {
    const reached = new Set([start]);
    for (const file of reached)
      for (const { from, to, ours } of imports) if (ours && from === file) reached.add(to);
    return reached;
  };
  const inCircles = loads.flatMap(({ from, to }) => (reachable(to).has(from) ? [from] : []));
  // Their readers take names and texts from the description.
  const descriptions = [
    'proposals/consul',
    'proposals/decidim',
    'oparl/oparl',
    'open311/open311',
    'survey/survey-table',
  ].map((name) => `ingest/formats/${name}-format.ts`);
  assert.deepEqual(new Set(inCircles), new Set(descriptions));
});

test('no test file or program of test/ imports itself in a circle at run time', () =>
  assertNoCircle(readImports(join(source, '../test')).filter(({ typeOnly }) => !typeOnly)));

test('no file is named utils, helpers, manager, service, common or misc', () => {
  const wrong = files.filter((file) =>
    /(^|\/|-)(utils?|helpers?|managers?|services?|common|misc)\.ts$/i.test(file),
  );
  assert.deepEqual(wrong, []);
});
