/** Checks the password of an account, for signing in and for confirming the identity. */
import type { Account } from '../../../domain/accounts/account.ts';
import { isEmail } from '../../../domain/values/name-and-email-validation.ts';
import type { AdminContext } from '../admin-context.ts';
import type { PageContext } from '../requests/page-context.ts';
import { type BrowserTrust, HashQueueFullError, verifyPassword } from './password-hash.ts';
import { reportSignInFailure } from './report-sign-in-failure.ts';

/**
 * @param isAllowed whether the attempt is within the attempt limits
 * @returns `error` is the message for the user, the same for a wrong password and an unknown account
 */
export async function checkPassword(
  admin: AdminContext,
  context: PageContext,
  isAllowed: boolean,
  email: string,
  password: string,
  trust: BrowserTrust,
): Promise<{ found: Account } | { error: string; status: 422 | 429 }> {
  const { text } = context;
  if (!isAllowed) {
    reportSignInFailure(admin, context, 'limit');
    return { error: text.signIn.tooMany, status: 429 };
  }
  try {
    const credentials = isEmail(email) ? await admin.store.findCredentials(email) : undefined;
    const matches = await verifyPassword(password, credentials?.passwordHash ?? null, trust);
    if (matches && credentials !== undefined) return { found: credentials.account };
    reportSignInFailure(admin, context, 'password');
    return { error: text.signIn.wrong, status: 422 };
  } catch (error) {
    if (error instanceof HashQueueFullError) return { error: text.signIn.tooMany, status: 429 };
    throw error;
  }
}
