/** Texts of the pages about API keys. */
import type { KeyState } from '../../../domain/keys/stored-key.ts';

/** By the value in the form. */
const graces: Record<string, string> = {
  '0': 'Revoke it immediately',
  '1h': 'Valid for 1 more hour',
  '24h': 'Valid for 1 more day',
  '7d': 'Valid for 7 more days',
  '30d': 'Valid for 30 more days',
};

export const keysOfAll = {
  title: 'Keys of all municipalities',
  intro: 'All API keys, newest first.',
  filter: 'Name, municipality or key (complete or first characters)',
  noneFound: 'No key matches the filter.',
};

export const keys = {
  title: 'Integrations / API keys',
  intro:
    'API keys give programs read access to your municipality’s published data. Issue a separate key for each program, so that you can revoke one without affecting the others.',
  none: 'There are no keys yet.',
  filter: 'Name or key (complete or first characters)',
  states: { active: 'active', expired: 'expired', revoked: 'revoked' } satisfies Record<KeyState, string>,
  found: (found: string, all: string) =>
    found !== all ? `${found} of ${all} keys` : all === '1' ? '1 key' : `${all} keys`,
  showAll: 'Show all keys',
  conditions: {
    expiring: 'expires within 30 days',
    replaced: 'replaced',
    never: 'never used',
    unused: 'unused for 90 days',
  },
  /** @param days 0 for today */
  expiresIn: (days: number) =>
    days === 0 ? 'expires today' : days === 1 ? 'expires tomorrow' : `expires in ${days} days`,
  replacedUntil: (day: string) => `replaced, ends ${day}`,
  predecessor: 'Replaces',
  successor: 'Replaced by',
  /** Stands for the key in samples, because its secret is not stored. */
  placeholder: 'YOUR_API_KEY',
  samples: 'Example requests',
  samplesHint:
    'Replace YOUR_API_KEY with the key. You can send these lines to the people who run the program.',
  foundKey: (name: string) => `The key that you entered belongs to “${name}”`,
  foundActive:
    'The key works. If it has become public, revoke it now. All requests with it will then be rejected. If the program still needs access, issue a new key afterwards.',
  foundInactive:
    'The key no longer works. All requests with it are rejected. You do not need to do anything.',
  unknownKey: 'This municipality has no such key',
  unknownKeyHint:
    'Nobody can read its data with the key that you entered. It may be mistyped or belong to another municipality.',
  samePrefix: 'Keys with the same first characters are listed below.',
  /** @param length such as `1 hour` */
  window: (length: string) =>
    `The request limit applies to a period of ${length}. After that, all requests are available again.`,
  sort: 'Sort by',
  sortBy: (heading: string) => `Sort by ${heading}`,
  prefix: 'Key prefix',
  thisWindow: 'Current period',
  requestsUsed: (used: string, limit: string) => `${used} of ${limit} requests`,
  /** @param end such as `in 12 minutes` */
  remaining: (requests: string, end: string) => `${requests} left, all available again ${end}`,
  limitExhausted: 'The request limit of this key is used up',
  /** @param end such as `in 12 minutes` */
  limitExhaustedHint: (time: string, end: string) =>
    `All further requests are rejected until ${time} (${end}). If this happens often, ask the people who run the program to send fewer requests, or raise the limit.`,
  /** @param interval such as `hour` or `15 minutes` */
  defaultLimit: (limit: string, interval: string) => `${limit} requests per ${interval} (default limit)`,
  ownLimit: (limit: string, interval: string) => `${limit} requests per ${interval} (set for this key)`,
  lastUsed: 'Last used',
  never: 'never',
  expires: 'Expires',
  noExpiry: 'never',
  created: 'Issued',
  revokedAt: 'Revoked',
};

/** By the fields of `keyFields`. `wrong`: the message for an invalid value. */
export const keyFields = {
  name: {
    label: 'Name',
    hint: 'The program or organisation that will use the key, such as “Open-data portal”.',
    missing: 'Enter a name.',
    tooLong: (maxLength: number) => `The name must have at most ${maxLength} characters.`,
    wrong: () => 'The name contains invisible characters, such as a line break. Enter it again.',
  },
  contact: {
    label: 'Contact',
    hint: 'Person or office that can answer questions about the program, such as “IT department, extension 123”.',
    wrong: (maxLength: number) => `Contact: enter at most ${maxLength} characters, without line breaks.`,
  },
  purpose: {
    label: 'Purpose',
    hint: 'What the program uses the data for.',
    wrong: (maxLength: number) => `Purpose: enter at most ${maxLength} characters, without line breaks.`,
  },
  expiresAt: {
    label: 'Valid until',
    hint: 'The key works until the end of this day. Without a date, it does not expire.',
    wrong: 'Enter today’s date or a later date, such as 2027-12-31.',
  },
  requestLimit: {
    label: 'Request limit',
    hint: (max: string, interval: string) =>
      `At most ${max} requests per ${interval}. Leave this field empty to use this limit.`,
    wrong: (max: string) => `Enter a whole number from 1 to ${max}.`,
  },
};

export const issue = {
  title: 'Issue a key',
  intro: 'The key is displayed only once, on the next page. Rostra cannot show it again later.',
  submit: 'Issue key',
};

export const newKey = {
  title: 'New key',
  done: 'The key has been issued',
  copyNow: 'Copy this key now. It will not be shown again.',
  secret: 'Key',
  copy: 'Copy key',
  copyRequest: 'Copy request',
  /** @param language such as `Python` */
  requestIn: (language: string) => `Request with ${language}`,
  oldKeyEnds: (time: string) => `The old key works until ${time}`,
  oldKeyEnded: (time: string) => `The old key stopped working on ${time}`,
  replaceOldKey:
    'Until then both keys work. Enter the new key in the program, check that its requests succeed, and then revoke the old key.',
  oldKeyHasEnded: 'Requests with the old key are now rejected. Enter the new key in the program.',
  toOldKey: 'Go to the old key',
  documentation: 'Documentation for the people who use the key',
  unavailable: 'This key can no longer be displayed',
  unavailableHint: 'Rostra shows each key only once. If the key is lost, rotate it to get a new one.',
  toKey: 'Go to key details',
};

export const rotate = {
  action: 'Rotate key',
  intro:
    'Rotating issues a new key with the same name and request limit. The old key keeps working for a while, so that the program can switch without interruption.',
  grace: 'Old key',
  graces,
  expires: 'New key valid until',
  replacedBefore: 'This key has already been replaced',
  replacedHint: 'A key can only be rotated once. To replace it again, rotate the key that replaced it.',
  toSuccessor: 'Go to the new key',
  notActive: 'This key is no longer active. Issue a new key instead.',
};

export const editKey = {
  action: 'Edit key',
  done: 'Your changes have been saved',
  revoked: 'This key has been revoked and cannot be edited',
};

export const revoke = {
  action: 'Revoke key',
  question: 'Revoke this key?',
  consequence: 'All requests with this key will be rejected immediately. This cannot be undone.',
  done: 'The key has been revoked. All requests with it are now rejected.',
  before: 'This key has already been revoked',
  toKey: 'Back to key details',
};
