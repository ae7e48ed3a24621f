/** The key of the portal of a source: checked and encrypted to store it, and decrypted for a run. */
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import type { ClaimedRun, RunPortalKey } from '../../domain/runs/run-queue.ts';
import type { SourceDefinition, SourceStore, StoredSource } from '../../domain/sources/import-source.ts';
import {
  decryptPortalKey,
  type EncryptedPortalKey,
  encryptPortalKey,
  type PortalKeyOwner,
  portalKeyPattern,
} from '../../domain/sources/portal-key-encryption.ts';
import { InputError } from '../input-error.ts';
import { takesPortalKey } from '../presets/presets.ts';
import type { RunSettings } from '../run-settings.ts';

type KeySettings = Pick<RunSettings, 'encryptionKey'>;

/**
 * @param definition with the address of requests
 * @throws InputError for a text that is no key, a source without a portal that takes one, and a missing setting
 */
export function encryptKeyOfSource(
  key: string,
  organizationId: string,
  definition: SourceDefinition,
  settings: KeySettings,
): EncryptedPortalKey {
  if (!takesPortalKey(definition)) throw new InputError({ code: 'portal-key-without-portal' });
  return encrypt(key, { organizationId, ...definition }, definition.url, settings);
}

/** @param url of the portal. @throws InputError for a text that is no key, and a missing setting */
export function encryptKeyOfRun(
  key: string,
  run: ImportRunReference,
  url: string,
  settings: KeySettings,
): RunPortalKey {
  const { origin, encrypted } = encrypt(key, toOwner(run), url, settings);
  return { origin, encrypted: encrypted.toString('base64') };
}

/**
 * @returns undefined if the source has no key, or no portal any longer that takes one
 * @throws InputError for a key that cannot be read, or that belongs to another portal than the address
 */
export async function readKeyOfSource(
  store: Pick<SourceStore, 'findPortalKey'>,
  source: Pick<StoredSource, 'organizationId' | 'format' | 'name' | 'url' | 'options'>,
  settings: KeySettings,
): Promise<string | undefined> {
  if (!takesPortalKey(source)) return undefined;
  const stored = await store.findPortalKey(source);
  return stored && decrypt(stored, source, source.url, settings);
}

/** @param url of the requests. @returns undefined if the run has no key. @throws as `readKeyOfSource` */
export function readKeyOfRun(run: ClaimedRun, url: string, settings: KeySettings): string | undefined {
  const { key } = run.detection?.address ?? {};
  if (key === undefined) return undefined;
  const encrypted = Buffer.from(key.encrypted, 'base64');
  return decrypt({ origin: key.origin, encrypted }, toOwner(run), url, settings);
}

const toOwner = ({ organizationId, id }: ImportRunReference): PortalKeyOwner => ({
  organizationId,
  format: 'import_run',
  name: id,
});

function encrypt(
  key: string,
  owner: PortalKeyOwner,
  url: string,
  { encryptionKey }: KeySettings,
): EncryptedPortalKey {
  if (encryptionKey === undefined) throw new InputError({ code: 'portal-key-without-setting' });
  if (!portalKeyPattern.test(key)) throw new InputError({ code: 'portal-key-invalid' });
  return encryptPortalKey(key, owner, new URL(url).origin, encryptionKey);
}

function decrypt(
  stored: EncryptedPortalKey,
  owner: PortalKeyOwner,
  url: string,
  { encryptionKey }: KeySettings,
): string {
  const { origin } = new URL(url);
  if (origin !== stored.origin)
    throw new InputError({ code: 'portal-key-of-other-portal', stored: stored.origin, origin });
  if (encryptionKey === undefined) throw new InputError({ code: 'portal-key-without-setting' });
  const key = decryptPortalKey(stored, owner, encryptionKey);
  if (key === undefined) throw new InputError({ code: 'portal-key-unreadable' });
  return key;
}
