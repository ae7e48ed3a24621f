/** Failed sign-ins are logged with the address of the client, and counted: many of them mean that somebody guesses. */
import type { SignInFailure } from '../../../platform/metrics/metrics-registry.ts';
import type { AdminContext } from '../admin-context.ts';
import type { PageContext } from '../requests/page-context.ts';

export function reportSignInFailure(
  { log, countSignInFailure }: Pick<AdminContext, 'log' | 'countSignInFailure'>,
  { clientAddress: address }: PageContext,
  reason: SignInFailure,
): void {
  countSignInFailure(reason);
  log.warn({ address }, reason === 'limit' ? 'sign-in rejected, too many attempts' : 'sign-in failed');
}
