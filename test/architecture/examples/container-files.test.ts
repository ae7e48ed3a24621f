/** The container file, the compose example and the manifest for Kubernetes, which no engine checks in this run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { parseAllDocuments } from 'yaml';
import { scheduledCommands } from '../../../packaging/debian/systemd-units.ts';
import { settings, toEnvironmentName } from '../../../src/program/config/settings.ts';
import {
  compose,
  containerFolder,
  isOfRostra,
  listInstructions,
  readContainerFile,
} from '../../support/compose-example.ts';
import { createTemporaryFolder } from '../../support/files.ts';

/** The linter's types do not resolve. */
interface LintResult {
  messages: { line: number; message: string }[];
}

test('the linter finds no problem in the container file', () => {
  assert.deepEqual(
    validate(readContainerFile('Containerfile')).map(({ message }) => message),
    [],
  );
  assert.notEqual(validate('FROM a\nENTRYPOINT x\nENTRYPOINT y\n').length, 0);
});

test('the container runs as a user with a number, and needs no shell', () => {
  assert.deepEqual(listInstructions('USER'), ['65532:65532']);
  assert.deepEqual(listInstructions('RUN'), []);
  for (const name of ['ENTRYPOINT', 'CMD']) assert.match(listInstructions(name)[0] ?? '', /^\["/, name);
  assert.match(listInstructions('HEALTHCHECK')[0] ?? '', / CMD \["\/usr\/lib\/rostra\/rostra", "health"\]$/);
});

test('the compose example follows the Compose Specification, and its linter finds no problem', (t) => {
  // The image is built locally. Services have the order of their purpose. The proxy listens on every interface.
  const rules = {
    'services-alphabetical-order': 0,
    'top-level-properties-order': 0,
    'no-unbound-port-interfaces': 0,
    'service-image-require-explicit-tag': 0,
    'service-keys-order': 0,
    'require-quotes-in-ports': 0,
  } as const;
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const lint = (path: string) =>
    linter
      .lintFiles([path], false)
      .flatMap(({ messages }: LintResult) => messages.map(({ line, message }) => `${line}: ${message}`));
  assert.deepEqual(lint(join(containerFolder, 'compose.yaml')), []);
  const invalid = join(createTemporaryFolder(t), 'compose.yaml');
  writeFileSync(invalid, readContainerFile('compose.yaml').replace('shm_size', 'shm_sise'));
  assert.match(lint(invalid).join(), /services\/database.*must NOT have additional properties/);
});

test('each container has a read-only root, dropped capabilities and bounded logs; foreign images have digests', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.ok(service.logging?.options?.['max-size'], name);
    if (!isOfRostra(service)) assert.match(service.image, /@sha256:[0-9a-f]{64}$/, name);
  }
});

test('the containers of Rostra have known settings, and secrets only from files', () => {
  const ours = Object.values(compose.services).filter(isOfRostra);
  assert.equal(ours.length, 4);
  for (const { environment, secrets } of ours)
    for (const [variable, value] of Object.entries(environment)) {
      assert.doesNotMatch(value, /postgres:\/\//);
      const setting = variable.replace(/_FILE$/, '');
      assert.ok(Object.keys(settings).some((known) => toEnvironmentName(known as 'database') === setting));
      if (variable.endsWith('_FILE')) assert.ok(secrets?.includes(value.replace('/run/secrets/', '')));
    }
  assert.ok(!compose.services.server?.secrets?.some((secret) => secret.startsWith('rostra_owner')));
});

test('the tasks of the compose example are those of the Debian package', () => {
  const commands = ['sources', 'prune'].map((name) => compose.services[name]?.command?.join(' '));
  // PostgreSQL is backed up by "dump" instead of "backup" and "drill".
  assert.deepEqual(
    commands,
    ['sources', 'prune'].map((task) => scheduledCommands.find(({ name }) => name === task)?.command),
  );
});

test('a dump is complete or leaves no file, and the dumps of more than two weeks ago are removed', (t) => {
  const dumps = createTemporaryFolder(t);
  const programs = createTemporaryFolder(t);
  const [secret, old, recent] = [join(programs, 'secret'), 'rostra-old.dump', 'rostra-recent.dump'];
  writeFileSync(secret, 'geheim');
  // The versions of pg_dump and of the server must match, so the arguments are tested here, and not the dump.
  const install = (name: string, script: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\nset -eu\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  install('pg_restore', 'test "$1" = --list; grep -q data "$2"');
  for (const [name, days] of [
    [old, 16],
    [recent, 13],
  ] as const) {
    writeFileSync(join(dumps, name), '');
    const seconds = Date.now() / 1000 - days * 86_400;
    utimesSync(join(dumps, name), seconds, seconds);
  }
  const run = () =>
    spawnSync('sh', [join(containerFolder, 'dump.sh')], {
      cwd: dumps,
      env: { PATH: `${programs}:${process.env.PATH}`, POSTGRES_PASSWORD_FILE: secret },
    }).status;
  const list = () => readdirSync(dumps).sort();
  install('pg_dump', 'echo da > "$(echo "$2" | cut -d= -f2)"; exit 1');
  assert.equal(run(), 1);
  install('pg_dump', 'echo da > "$(echo "$2" | cut -d= -f2)"');
  assert.equal(run(), 1);
  assert.deepEqual(
    list().filter((name) => !name.endsWith('.partial')),
    [old, recent],
  );
  install(
    'pg_dump',
    'test "$1" = --format=custom; test "$PGPASSWORD" = geheim; echo data > "$(echo "$2" | cut -d= -f2)"',
  );
  assert.equal(run(), 0);
  const [written = '', ...others] = list();
  assert.match(written, /^rostra-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.dump$/);
  assert.deepEqual(others, [recent]);
});

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  data?: Record<string, string>;
}

const parseManifest = (text: string) =>
  parseAllDocuments(text).map((each) => each.toJS() as KubernetesObject);

const kubernetesObjects = parseManifest(readContainerFile('kubernetes.yaml'));

test('the manifest for Kubernetes has only fields of its API, and known settings', (t) => {
  const own = createTemporaryFolder(t);
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(own, 'node_modules'));
  const compile = (object: KubernetesObject, index: number) =>
    `export const object${index}: import('kubernetes-models/${object.apiVersion}').I${object.kind} = ${JSON.stringify(object)};`;
  const source = kubernetesObjects.map(compile).join('\n');
  writeFileSync(join(own, 'manifest.ts'), source);
  writeFileSync(join(own, 'misspelled.ts'), source.replaceAll('readOnlyRootFilesystem', 'readOnly'));
  const { stdout } = spawnSync(
    join(own, 'node_modules/.bin/tsc'),
    ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'manifest.ts', 'misspelled.ts'],
    { cwd: own, encoding: 'utf8' },
  );
  const errors = stdout.trim().split('\n');
  assert.ok(errors.length >= 4);
  for (const error of errors)
    assert.match(error, /^misspelled\.ts.+"readOnly"' does not exist in type 'ISecurityContext'/);
  const names = Object.keys(kubernetesObjects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {});
  const known = Object.keys(settings).map((name) => toEnvironmentName(name as 'database'));
  for (const name of names) assert.ok(known.includes(name.replace(/_FILE$/, '')), name);
});

/** @returns what the schemas of Kubernetes say about the values of the objects */
async function listInvalidValues(objects: readonly KubernetesObject[]): Promise<string[]> {
  const errors: string[] = [];
  for (const object of objects) {
    const models: Record<string, new (data: object) => { validate(): void }> = await import(
      `kubernetes-models/${object.apiVersion}`
    );
    const Model = models[object.kind];
    assert.ok(Model, object.kind);
    try {
      new Model(object).validate();
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  return errors;
}

test('the manifest for Kubernetes has only values that its schemas allow', async () => {
  assert.deepEqual(await listInvalidValues(kubernetesObjects), []);
  for (const [value, invalid] of [
    ['restartPolicy: OnFailure', 'restartPolicy: OnFailur'],
    ['cpu: 250m', 'cpu: 250x'],
    ['replicas: 2', 'replicas: two'],
    ['concurrencyPolicy: Allow', 'concurrencyPolicy: Allowed'],
  ] as const) {
    const text = readContainerFile('kubernetes.yaml');
    assert.ok(text.includes(value));
    assert.notDeepEqual(await listInvalidValues(parseManifest(text.replace(value, invalid))), [], invalid);
  }
});

test('no pod of Kubernetes gets settings from the names of services', () => {
  const manifest = readContainerFile('kubernetes.yaml');
  assert.match(manifest, /kind: Service\nmetadata: \{ name: rostra \}/);
  const count = (text: string) => manifest.split(text).length - 1;
  assert.equal(count('enableServiceLinks: false'), count('containers:'));
});

test('the scripts of the compose example are valid, and one creates each secret', () => {
  for (const name of ['create-secrets.sh', 'create-roles.sh', 'dump.sh'])
    assert.equal(spawnSync('sh', ['-n', join(containerFolder, name)]).status, 0, name);
  const roles = /for role in (.*); do/.exec(readContainerFile('create-secrets.sh'))?.[1]?.split(' ') ?? [];
  for (const [secret, { file }] of Object.entries(compose.secrets)) {
    assert.equal(file, `./secrets/${secret}`);
    assert.ok(roles.includes(secret.replace(/-(url|password)$/, '')), secret);
  }
  for (const volume of Object.values(compose.services).flatMap(({ volumes }) => volumes ?? [])) {
    const [source = ''] = volume.split(':');
    if (source.startsWith('.')) assert.ok(existsSync(join(containerFolder, source)), source);
  }
});
