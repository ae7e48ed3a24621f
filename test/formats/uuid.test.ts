import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUuidV5, isUuid } from '../../src/domain/values/uuid.ts';

const dnsNamespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

test('version 5 UUIDs match the examples of RFC 9562 and of other implementations', () => {
  // RFC 9562, appendix A.4; Python's uuid.uuid5.
  assert.equal(createUuidV5('www.example.com', dnsNamespace), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
  assert.equal(createUuidV5('python.org', dnsNamespace), '886313e1-3b8a-5372-9b90-0c9aee199e5d');
  assert.equal(createUuidV5('', dnsNamespace), '4ebd0208-8328-5d69-8c44-ec50939c0967');
});

test('UUIDs of versions 1 to 8 are recognised; the Nil and the Max UUID are not', () => {
  assert.ok(isUuid(dnsNamespace) && isUuid(dnsNamespace.toUpperCase()));
  for (const text of [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '6ba7b810-9dad-91d1-80b4-00c04fd430c8',
    '6ba7b810-9dad-11d1-c0b4-00c04fd430c8',
    `${dnsNamespace} `,
    dnsNamespace.replaceAll('-', ''),
  ])
    assert.ok(!isUuid(text), text);
});
