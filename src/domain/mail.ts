/** E-mails of the admin area, and their delivery. */
/** The SMTP server did not accept the message. The text is an English sentence for operators, without the password. */
export class MailDeliveryError extends Error {
  /** A later attempt would fail too. */
  readonly isPermanent: boolean;
  /** The server cannot be used, so that all other messages would fail too. */
  readonly concernsServer: boolean;

  constructor(
    message: string,
    { isPermanent, concernsServer }: { isPermanent: boolean; concernsServer: boolean },
  ) {
    super(message);
    this.isPermanent = isPermanent;
    this.concernsServer = concernsServer;
  }
}
