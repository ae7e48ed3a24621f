/** The SMTP server of ROSTRA_SMTP_URL. */
export interface SmtpOptions {
  host: string;
  port: number;
  tls: 'implicit' | 'starttls' | 'off';
  verifiesCertificate: boolean;
  login: { user: string; password: string } | undefined;
}
