/** The key of the portal of a source: checked and encrypted to store it, and decrypted for a run. */
import type { Config } from '../config/settings.ts';
import type { SourceDefinition, SourceStore, StoredSource } from '../domain/import-source.ts';
import {
  decryptPortalKey,
  type EncryptedPortalKey,
  encryptPortalKey,
  portalKeyPattern,
} from '../domain/portal-key.ts';
import { InputError } from '../import/input-error.ts';
import { takesPortalKey } from '../import/presets/presets.ts';

type KeySettings = Pick<Config, 'encryptionKey'>;

/**
 * @param definition with the address of requests
 * @throws InputError for a text that is no key, a source without a portal that takes one, and a missing setting
 */
export function encryptKeyOfSource(
  key: string,
  organizationId: string,
  definition: SourceDefinition,
  { encryptionKey }: KeySettings,
): EncryptedPortalKey {
  if (!takesPortalKey(definition)) throw new InputError({ code: 'portal-key-without-portal' });
  if (encryptionKey === undefined) throw new InputError({ code: 'portal-key-without-setting' });
  if (!portalKeyPattern.test(key)) throw new InputError({ code: 'portal-key-invalid' });
  const { origin } = new URL(definition.url);
  return encryptPortalKey(key, { organizationId, ...definition }, origin, encryptionKey);
}

/**
 * @returns undefined if the source has no key, or no portal any longer that takes one
 * @throws InputError for a key that cannot be read, or that belongs to another portal than the address
 */
export async function readKeyOfSource(
  store: Pick<SourceStore, 'findPortalKey'>,
  source: Pick<StoredSource, 'organizationId' | 'format' | 'name' | 'url' | 'options'>,
  { encryptionKey }: KeySettings,
): Promise<string | undefined> {
  if (!takesPortalKey(source)) return undefined;
  const stored = await store.findPortalKey(source);
  if (stored === undefined) return undefined;
  const { origin } = new URL(source.url);
  if (origin !== stored.origin)
    throw new InputError({ code: 'portal-key-of-other-portal', stored: stored.origin, origin });
  if (encryptionKey === undefined) throw new InputError({ code: 'portal-key-without-setting' });
  const key = decryptPortalKey(stored, source, encryptionKey);
  if (key === undefined) throw new InputError({ code: 'portal-key-unreadable' });
  return key;
}
