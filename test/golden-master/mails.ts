/** The emails of a server that answer an action of a person: links to set a password. */
import { forgottenPasswordPath } from '../../src/web/admin/pages/forgotten-password.ts';
import { createFormClient } from '../support/form-client.ts';
import type { SmtpTestServer } from '../support/smtp-server.ts';

/**
 * @param origin of a server that sends its emails to `smtp`
 * @param accounts email addresses by language
 * @returns the texts, sorted: the order of the deliveries differs
 */
export async function readMails(
  origin: string,
  smtp: SmtpTestServer,
  accounts: Readonly<Record<string, string>>,
): Promise<string> {
  for (const [language, email] of Object.entries(accounts))
    await createFormClient(origin, language).submitForm(forgottenPasswordPath, { email });
  const received = await smtp.waitForMails(Object.keys(accounts).length);
  return received
    .map(
      ({ recipient, subject, text, html }) => `To: ${recipient}\nSubject: ${subject}\n\n${text}\n${html}\n`,
    )
    .toSorted()
    .join('\n');
}
