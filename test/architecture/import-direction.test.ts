/** The imports in src/ follow the table of rooms in ARCHITECTURE.md, and no file imports itself in a circle. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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

/** The client is a room too, in its own package. */
const clientFolder = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));
const nameClient = (file: string) => file.replace('../packages/client/src/', 'client/');

const readImports = (folder: string): Import[] =>
  listFiles(folder).flatMap((from): Import[] => {
    const text = readFileSync(join(folder, from), 'utf8');
    const lines =
      /^(?:import\s+(?:(?<type>type\s+)?(?<names>[^'"]+?)\s+from\s+)?|export\s+(?<type>type\s+)?(?<names>\{[^}]*\}|\*[^'"]*?)\s+from\s+)'(?<specifier>[^']+)'/gm;
    const resolve = (specifier: string) => {
      const ours = specifier.startsWith('.');
      return {
        ours,
        to: ours ? nameClient(relative(folder, join(folder, dirname(from), specifier))) : specifier,
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

const locate = (file: string) =>
  file.startsWith('client/') ? join(clientFolder, file.slice('client/'.length)) : join(source, file);

const files = [...listFiles(source), ...listFiles(clientFolder).map((file) => `client/${file}`)];
const imports = [
  ...readImports(source),
  ...readImports(clientFolder).map((found) => ({
    ...found,
    from: `client/${found.from}`,
    to: found.ours ? `client/${found.to}` : found.to,
  })),
];

/** A folder of src/, or the file itself at its top. */
const room = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : file);

/** Room → the rooms that it may import, from the table in ARCHITECTURE.md. */
const allowed = readRoomTable();

function readRoomTable(): Record<string, string[]> {
  const architecture = readFileSync(join(source, '../ARCHITECTURE.md'), 'utf8');
  const rows = architecture.matchAll(/^\| `(?:src|packages)\/([\w.-]+)(?:\/src)?\/?` \|[^|]*\|([^|]*)\|$/gm);
  return Object.fromEntries(
    [...rows].map(([, name = '', imported = '']) => [
      name,
      [...imported.matchAll(/`([\w.-]+)`/g)].map(([, other = '']) => other),
    ]),
  );
}

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

test('every room imports only the rooms that ARCHITECTURE.md allows, and each of them', () => {
  assert.deepEqual(new Set(files.map(room)), new Set(Object.keys(allowed)));
  const between = imports.filter(({ from, to, ours }) => ours && room(from) !== room(to));
  assert.deepEqual(
    between.filter(({ from, to }) => !allowed[room(from)]?.includes(room(to))),
    [],
  );
  const used = new Set(between.map(({ from, to }) => `${room(from)} imports ${room(to)}`));
  const unused = Object.entries(allowed).flatMap(([from, rooms]) =>
    rooms.map((to) => `${from} imports ${to}`).filter((arrow) => !used.has(arrow)),
  );
  assert.deepEqual(unused, [], 'remove them from the table');
});

test('formats do not import each other, and only the list of formats imports their descriptions', () => {
  const families = Object.groupBy(
    files.filter((file) => file.startsWith('import/formats/')),
    (file) => (/^import\/formats\/[^/]+\//.test(file) ? 'inner' : 'outer'),
  );
  assert.ok((families.inner ?? []).length > 30 && (families.outer ?? []).length >= 20);
  const getFolder = (file: string) => /^import\/formats\/([^/]+)\//.exec(file)?.[1];
  const getName = (file: string) => /^import\/formats\/([^/]+?)(?:-reader)?\.ts$/.exec(file)?.[1];
  const inside = imports.filter(
    ({ from, to, isDynamic }) =>
      !isDynamic && from.startsWith('import/formats/') && to.startsWith('import/formats/'),
  );
  /** The folder of each format, by what its reader imports. */
  const folders = new Map<string, Set<string>>();
  for (const { from, to } of inside) {
    const [name, folder] = [getName(from), getFolder(to)];
    if (name !== undefined && folder !== undefined)
      folders.set(name, (folders.get(name) ?? new Set()).add(folder));
  }
  for (const [name, used] of folders) assert.equal(used.size, 1, name);
  const mayImport = (from: string, to: string) => {
    const [name, folder] = [getName(from), getFolder(from)];
    if (getFolder(to) !== undefined) return folder === undefined || folder === getFolder(to);
    const other = getName(to) as string;
    return !to.endsWith('-reader.ts') && (name === other || folders.get(other)?.has(folder as string));
  };
  assert.deepEqual(
    inside.filter(({ from, to }) => !mayImport(from, to)),
    [],
  );
  const outside = imports.filter(
    ({ from, to }) =>
      room(from) === 'import' && !from.startsWith('import/formats/') && to.startsWith('import/formats/'),
  );
  assert.deepEqual(new Set(outside.map(({ from }) => from)), new Set(['ingest/formats/format-registry.ts']));
});

test('the list of formats loads no reader', () => {
  const loaded = new Set(['ingest/formats/format-registry.ts']);
  for (const file of loaded)
    for (const { from, to, typeOnly, isDynamic, ours } of imports)
      if (from === file && ours && !typeOnly && !isDynamic) loaded.add(to);
  assert.ok(loaded.size > 15);
  const heavy = [...loaded].filter((file) => /^import\/(readers|formats\/[^/]+\/)|-reader\.ts$/.test(file));
  assert.deepEqual(heavy, []);
});

test('the admin area knows formats by their descriptions only, and validates typed values as imports do', () => {
  const known = imports.filter(({ from, to }) => room(from) === 'admin' && room(to) === 'import');
  assert.deepEqual(
    new Set(known.map(({ to }) => to)),
    new Set([
      'ingest/format-options.ts',
      'ingest/formats/format-registry.ts',
      'ingest/formats/table/date-pattern.ts',
      'ingest/presets/presets.ts',
      'ingest/presets/resolve-address.ts',
      'ingest/privacy/redaction/create-redactor.ts',
      'ingest/record-edits/remove-record.ts',
      'ingest/record-edits/typed-texts.ts',
    ]),
  );
});

test('only the room assets knows where files of the program are', () => {
  for (const file of files.filter((name) => room(name) !== 'assets'))
    assert.doesNotMatch(readFileSync(locate(file), 'utf8'), /\bimport\.meta\b|__dirname/, file);
});

test('only run-command.ts opens a store', () => {
  const outside = imports.filter(
    ({ from, to, typeOnly }) => !typeOnly && to.startsWith('store/') && room(from) !== 'store',
  );
  assert.deepEqual(
    outside.map(({ from, to }) => [from, to]),
    [['run-command.ts', 'store/open.ts']],
  );
});

test('only the files of an engine import its driver, and only the opening of a store imports an engine', () => {
  // On both engines, an import stores the ids it has seen in a temporary SQLite file. A mirror is an SQLite file.
  const drivers: Record<string, RegExp> = {
    'better-sqlite3':
      /^(store\/sqlite\/.*|import\/seen-records|mirror\/(mirror-database|staged-changes))\.ts$/,
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

test('only the API, the admin area and runs of sources import HTTP', () => {
  const http = imports.filter(
    ({ from, to }) =>
      ['store', 'import', 'demo', 'domain', 'contract', 'text'].includes(room(from)) &&
      /^(fastify|(node:)?https?)$/.test(to),
  );
  assert.deepEqual(http, []);
});

test('contract, domain and text do no I/O, read no clock and no environment', () => {
  const pure = files.filter((file) => ['contract', 'domain', 'text'].includes(room(file)));
  const packages = [
    'node:crypto',
    'node:zlib',
    'typebox',
    'typebox/format',
    'fastest-levenshtein',
    'image-size',
  ];
  const others = imports.filter(
    ({ from, to, ours }) => pure.includes(from) && !ours && !packages.includes(to),
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
    ({ to, isDynamic }) => isDynamic && /^import\/formats\/[\w-]+-reader\.ts$/.test(to),
  );
  for (const { from, to } of loads) assert.equal(to, from.replace(/\.ts$/, '-reader.ts'));
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
  const names = ['consul', 'decidim', 'oparl', 'open311', 'survey-table'];
  assert.deepEqual(new Set(inCircles), new Set(names.map((name) => `import/formats/${name}.ts`)));
});

test('no test file or program of test/ imports itself in a circle at run time', () =>
  assertNoCircle(readImports(join(source, '../test')).filter(({ typeOnly }) => !typeOnly)));

test('no file is named utils, helpers, manager, service, common or misc', () => {
  const wrong = files.filter((file) =>
    /(^|\/|-)(utils?|helpers?|managers?|services?|common|misc)\.ts$/i.test(file),
  );
  assert.deepEqual(wrong, []);
});
