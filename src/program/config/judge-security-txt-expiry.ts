import { type Config, toEnvironmentName } from './settings.ts';

const yearMs = 365 * 86_400_000;

/** @returns a sentence about the problem with the expiry of security.txt (RFC 9116, section 2.5.5), or undefined if it is valid */
export function judgeSecurityTxtExpiry(
  { securityExpires }: Pick<Config, 'securityExpires'>,
  nowMs: number,
): string | undefined {
  if (securityExpires === undefined) return undefined;
  const name = toEnvironmentName('securityExpires');
  const leftMs = Date.parse(securityExpires) - nowMs;
  if (leftMs <= 0)
    return `${name} has passed, so the contacts of security.txt no longer count. Check them, and set a later date.`;
  if (leftMs >= yearMs)
    return `${name} is a year or more ahead. RFC 9116 recommends less, so that no outdated contact stays in use.`;
  return undefined;
}
