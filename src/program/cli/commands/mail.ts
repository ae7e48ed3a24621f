import { MailDeliveryError } from '../../../domain/accounts/mail.ts';
import { isEmail } from '../../../domain/values/name-and-email-validation.ts';
import { composeTestMail } from '../../../web/mail/compose-test-mail.ts';
import { createSmtpTransport } from '../../../web/mail/smtp-transport.ts';
import { listSettings, toEnvironmentName } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { argument, defineCommand, defineGroup, defineStoreCommand, json } from '../define-command.ts';
import { formatTime, print, printError, printJson, printTable } from '../output.ts';

const sendTimeoutMs = 60_000;

export const addMailCommands = defineGroup('mail', 'check the delivery of emails', [
  defineCommand({
    name: 'test',
    summary: 'send a test message',
    description:
      'Sends a test message and prints the answer of the SMTP server. If the server does not accept the message, the command prints the reason and a remedy.',
    arguments: { address: argument('<email>', 'email address of the recipient', parseEmail) },
    run: async ({ address }, context) => {
      const { smtpUrl, mailFrom, publicUrl } = context.readConfig({}, listSettings('mail'));
      if (smtpUrl === undefined || mailFrom === undefined || publicUrl === undefined) {
        const names = listSettings('mail').map(toEnvironmentName).join(', ');
        throw new CommandError(`Email is not set up. Set ${names}.`, exitCodes.usage);
      }
      const transport = createSmtpTransport(smtpUrl, mailFrom);
      try {
        print(
          await transport.send(composeTestMail(address, publicUrl, transport.senderDomain), sendTimeoutMs),
        );
      } catch (error) {
        if (!(error instanceof MailDeliveryError)) throw error;
        throw new CommandError(`The message was not sent. ${error.message}`);
      }
      printError(
        `${smtpUrl.host} accepted the message to ${address}. Check that it arrives, and look in the spam folder too.`,
      );
    },
  }),

  defineStoreCommand({
    name: 'list',
    summary: 'list emails that could not be sent',
    description:
      'Lists up to 100 notifications whose last attempt failed, newest first. The server sends queued messages again for three days. Messages that the SMTP server refused are not sent again.',
    options: { json },
    run: async (flags, store) => {
      const mails = await store.listUndeliveredMail();
      if (flags.json) return printJson(mails);
      if (mails.length === 0)
        return printError('Every notification was sent or is waiting for its first attempt.');
      return printTable(
        ['CREATED', 'TO', 'KIND', 'STATE', 'ATTEMPTS', 'NEXT ATTEMPT', 'ERROR'],
        mails.map(({ createdAt, email, kind, state, attempts, nextAttemptAt, error }) => [
          formatTime(createdAt),
          email,
          kind,
          state,
          String(attempts),
          formatTime(nextAttemptAt),
          error ?? '',
        ]),
      );
    },
  }),
]);

function parseEmail(text: string): string {
  const address = text.trim();
  if (isEmail(address)) return address;
  throw new Error('be an email address such as name@stadt.example');
}
