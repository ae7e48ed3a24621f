/** Files for catalogues of public code and for scanners of vulnerabilities. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { languages } from '../../src/web/messages/languages.ts';
import { checkout } from '../support/checkout.ts';

const read = (file: string) => readFileSync(join(checkout, file), 'utf8');
const publicCode = parse(read('publiccode.yml'));
const [contact] = publicCode.maintenance.contacts;
const advisories = globSync('advisories/*/*.json', { cwd: checkout });

// https://yml.publiccode.tools/schema.core.html
test('publiccode.yml describes the project in each language as version 0.7 demands', () => {
  assert.equal(publicCode.publiccodeYmlVersion, '0.7');
  const { license, version } = JSON.parse(read('package.json'));
  assert.deepEqual([publicCode.legal.license, publicCode.softwareVersion], [license, version]);
  assert.deepEqual(publicCode.localisation, { localisationReady: true, availableLanguages: [...languages] });
  assert.deepEqual(Object.keys(publicCode.description).sort(), [...languages].sort());
  for (const description of Object.values<Record<string, string>>(publicCode.description)) {
    const { genericName = '', shortDescription = '', longDescription = '', features } = description;
    assert.ok(genericName.length <= 35, genericName);
    assert.ok(shortDescription.length > 0 && shortDescription.length <= 150, shortDescription);
    assert.ok(longDescription.length >= 150 && longDescription.length <= 10_000, longDescription);
    assert.ok(Array.isArray(features) && features.length >= 5);
  }
});

test('publiccode.yml, SECURITY.md and the advisories name the same contact', () => {
  assert.match(contact.email, /^[^@\s]+@[^@\s]+$/);
  assert.ok(read('SECURITY.md').includes(`<${contact.email}>`));
  for (const file of ['advisories/template.json', ...advisories])
    assert.equal(JSON.parse(read(file)).document.publisher.contact_details, contact.email, file);
});

test('each advisory is complete, listed, and named after its id', () => {
  assert.ok(advisories.length > 0);
  const index = read('advisories/README.md');
  for (const file of advisories) {
    assert.doesNotMatch(read(file), /TODO/, file);
    const { id, status } = JSON.parse(read(file)).document.tracking;
    assert.deepEqual({ file: `${id}.json`, status }, { file: basename(file), status: 'final' });
    assert.ok(index.includes(`[${id}](${file.replace('advisories/', '')})`), `${id} is not listed`);
  }
});
