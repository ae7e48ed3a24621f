/** The container file and the compose example, which no engine checks in this run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { settings, toEnvironmentName } from '../../../src/config/settings.ts';
import { createTemporaryFolder } from '../../support/files.ts';

const folder = join(import.meta.dirname, '../../../packaging/container');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** The linter's types do not resolve. */
interface LintResult {
  messages: { line: number; message: string }[];
}

interface Service {
  image: string;
  environment: Record<string, string>;
  secrets: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
}

const compose = parse(read('compose.yaml')) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};

/** @returns the arguments of every instruction with this name */
const listArguments = (name: string) =>
  [...read('Containerfile').matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text);

test('the linter finds no problem in the container file', () => {
  assert.deepEqual(
    validate(read('Containerfile')).map(({ message }) => message),
    [],
  );
  assert.notEqual(validate('FROM a\nENTRYPOINT x\nENTRYPOINT y\n').length, 0);
});

test('the container runs as a user with a number, and needs no shell', () => {
  assert.deepEqual(listArguments('USER'), ['65532:65532']);
  assert.deepEqual(listArguments('RUN'), []);
  for (const name of ['ENTRYPOINT', 'CMD']) assert.match(listArguments(name)[0] ?? '', /^\["/, name);
  assert.match(listArguments('HEALTHCHECK')[0] ?? '', / CMD \["\/usr\/lib\/rostra\/rostra", "health"\]$/);
});

test('the compose example follows the Compose Specification, and its linter finds no problem', (t) => {
  // The image is built locally. Services have the order of their purpose.
  const rules = {
    'service-image-require-explicit-tag': 0,
    'service-keys-order': 0,
    'require-quotes-in-ports': 0,
  } as const;
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const lint = (path: string) =>
    linter
      .lintFiles([path], false)
      .flatMap(({ messages }: LintResult) => messages.map(({ line, message }) => `${line}: ${message}`));
  assert.deepEqual(lint(join(folder, 'compose.yaml')), []);
  const invalid = join(createTemporaryFolder(t), 'compose.yaml');
  writeFileSync(invalid, read('compose.yaml').replace('cap_drop', 'cap_drp'));
  assert.match(lint(invalid).join(), /services\/migrate.*must NOT have additional properties/);
});

test('the containers of Rostra have a read-only root, no capabilities, and secrets only from files', () => {
  for (const name of ['migrate', 'server']) {
    const service = compose.services[name] as Service;
    assert.equal(service.read_only, true);
    assert.deepEqual(service.cap_drop, ['ALL']);
    for (const [variable, value] of Object.entries(service.environment)) {
      assert.doesNotMatch(value, /postgres:\/\//);
      const setting = variable.replace(/_FILE$/, '');
      assert.ok(Object.keys(settings).some((known) => toEnvironmentName(known as 'database') === setting));
      if (variable.endsWith('_FILE')) assert.ok(service.secrets.includes(value.replace('/run/secrets/', '')));
    }
  }
  assert.ok(!compose.services.server?.secrets.some((secret) => secret.startsWith('rostra_owner')));
});

test('the scripts of the compose example are valid, and one creates each secret', () => {
  for (const name of ['create-secrets.sh', 'create-roles.sh'])
    assert.equal(spawnSync('sh', ['-n', join(folder, name)]).status, 0, name);
  const roles = /for role in (.*); do/.exec(read('create-secrets.sh'))?.[1]?.split(' ') ?? [];
  for (const [secret, { file }] of Object.entries(compose.secrets)) {
    assert.equal(file, `./secrets/${secret}`);
    assert.ok(roles.includes(secret.replace(/-(url|password)$/, '')), secret);
  }
  for (const volume of compose.services.database?.volumes ?? []) {
    const [source = ''] = volume.split(':');
    if (source.startsWith('./')) assert.ok(existsSync(join(folder, source)), source);
  }
});
