/** Settings of the admin area, of single sign-on and of emails. */
import { parseMailSender, parseSmtpUrl } from './parse-mail-settings.ts';
import { optionalSetting, setting } from './setting.ts';
import {
  createChoiceParser,
  createSecondsParser,
  parseHttpsUrl,
  parsePageUrl,
  parsePort,
  parseTimeZone,
  parseVisibleAscii,
} from './setting-parsers.ts';

export const adminSettings = {
  admin: setting({
    readBy: ['serve'],
    value: 'on|off',
    default: 'on',
    description: 'Serves the admin area at `/admin`.',
    parse: createChoiceParser('on', 'off'),
  }),
  adminPort: optionalSetting({
    readBy: ['serve', 'invite'],
    value: 'port',
    description: 'Separate port for the admin area. Default: the port of the API.',
    parse: parsePort,
  }),
  adminIdleTimeout: setting({
    readBy: ['serve'],
    value: 'seconds',
    default: '3600',
    description: 'People are signed out after this time without a request.',
    parse: createSecondsParser(1, 86_400),
  }),
  adminPasswords: setting({
    readBy: ['serve'],
    value: 'on|off',
    default: 'on',
    description: 'Lets people sign in with a password. `off` requires single sign-on.',
    parse: createChoiceParser('on', 'off'),
  }),
  secondFactor: setting({
    readBy: ['serve'],
    value: 'optional|required',
    default: 'optional',
    description:
      'With `required`, accounts with a password must set up a second factor before they can use the admin area. Single sign-on is not affected.',
    parse: createChoiceParser('optional', 'required'),
  }),
  imprintUrl: optionalSetting({
    readBy: ['serve'],
    value: 'url',
    description: 'Imprint of the operator. The footer of every page links to it.',
    parse: parsePageUrl,
  }),
  privacyUrl: optionalSetting({
    readBy: ['serve'],
    value: 'url',
    description: 'Privacy statement of the operator, linked in the same footer.',
    parse: parsePageUrl,
  }),
  accessibilityUrl: optionalSetting({
    readBy: ['serve'],
    value: 'url',
    description: 'Accessibility statement of the operator, linked in the same footer.',
    parse: parsePageUrl,
  }),
  timeZone: setting({
    readBy: ['serve'],
    value: 'zone',
    default: 'UTC',
    description:
      'Time zone of the admin area’s pages about the whole installation, such as `Europe/Berlin`. The pages of a municipality use its own time zone, and the API always uses UTC.',
    parse: parseTimeZone,
  }),
  oidcIssuer: optionalSetting({
    readBy: ['serve'],
    value: 'url',
    description:
      'Issuer URL of the OpenID Connect provider for single sign-on, such as `https://login.stadt.example`. Empty: no single sign-on.',
    parse: parseHttpsUrl,
  }),
  oidcClientId: setting({
    readBy: ['serve'],
    value: 'id',
    default: '',
    description: 'Client ID that the provider assigned to Rostra.',
    parse: parseVisibleAscii,
  }),
  oidcClientSecret: setting({
    readBy: ['serve'],
    value: 'secret',
    default: '',
    description: 'Client secret that the provider assigned to Rostra. Empty: a public client with PKCE.',
    secret: true,
    parse: parseVisibleAscii,
  }),
  smtpUrl: optionalSetting({
    readBy: ['serve', 'mail'],
    value: 'url',
    description:
      'URL of the SMTP server for emails of the admin area, such as `smtps://user:password@mail.stadt.example` or `smtp://user:password@mail.stadt.example:587`. Connections are encrypted, except to this machine. Empty: no emails.',
    secret: true,
    parse: parseSmtpUrl,
  }),
  mailFrom: optionalSetting({
    readBy: ['serve', 'mail'],
    value: 'address',
    description: 'Sender of emails, such as `Rostra <rostra@stadt.example>`. Required for ROSTRA_SMTP_URL.',
    parse: parseMailSender,
  }),
};
