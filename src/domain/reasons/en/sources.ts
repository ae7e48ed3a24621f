/** Sentences about faults in the definition of a source, or in its address. */
import type { AnyReason, Words } from '../sentence-types.ts';

interface Address {
  url: string;
}

/** A value that a server sent. */
interface Quoted extends Address {
  text: string;
}

interface Portal {
  /** Its origin. */
  portal: string;
  status: number;
}

/** An option of a source, and its flag of the command line. */
interface Option {
  option: string;
  flag: string;
}

/** Why a host is not requested. Pages show none, so that nobody finds out which names exist in the operator's network. */
const hostRefusals = {
  unstated:
    'its host name cannot be resolved, or the host is in a private network. An operator can allow an address with ROSTRA_DOWNLOAD_NETWORKS.',
  private:
    'its host is in a private network. To allow it, add the address of the host to ROSTRA_DOWNLOAD_NETWORKS.',
  unknown: 'its host name does not exist. Check the spelling.',
  unanswered:
    'no name server answers for its host name. Check the network and the name servers of this machine.',
};

export type HostRefusal = keyof typeof hostRefusals;

const quote = (text: string) => `"${text}"`;

export const sources = {
  'source-name-invalid':
    'The name of a source must have 1 to 100 characters, without spaces around it or line breaks.',
  'source-schedule-without-url': 'Only a source with an address can have a schedule.',
  'source-schedule-invalid': 'The schedule must be from one minute to 31 days.',
  'source-time-zone-invalid': ({ timeZone }: { timeZone: string }) =>
    `"${timeZone}" is not a time zone such as Europe/Berlin.`,
  'source-cannot-delete': ({ format }: { format: string }, words: Words) =>
    `Imports of the format ${words.format(format)} cannot delete missing records here.`,
  'url-not-https': ({ url }: Address) => `"${url}" is not an https URL.`,
  'url-with-password': 'The URL must not contain a user name or password, because it is stored and shown.',
  'url-too-long': ({ max }: { max: number }) => `The URL has more than ${max} characters.`,
  'format-unknown': ({ format, near }: { format: string; near: string | undefined }, { isPage }: Words) =>
    `Unknown format "${format}".${near === undefined ? '' : ` Did you mean "${near}"?`}${isPage ? '' : ' "rostra import --help" lists all.'}`,
  'option-unknown': ({ format, option, flag }: Option & { format: string }, words: Words) =>
    `The format ${words.format(format)} has no option ${words.isPage ? words.option(option) : flag}.`,
  'option-invalid': ({ option, flag, problem }: Option & { problem: AnyReason }, words: Words) =>
    `The option ${words.isPage ? words.option(option) : flag} of the source is invalid: ${words.reason(problem)}`,
  'option-not-column': 'Give the name of a column: letters, digits and underscores.',
  'changed-column-unused': ({ system }: { system: string | undefined }) =>
    `${system ?? 'A file'} cannot be asked for changed records, so the column with the time of the last change has no use.`,
  'flag-invalid': ({ flag, problem }: { flag: string; problem: string }) => `${flag} must ${problem}.`,
  'max-deleted-alone': '--max-deleted needs --delete-missing.',
  'source-format-differs': (
    { name, stored, format }: { name: string; stored: string; format: string },
    words: Words,
  ) =>
    `The source "${name}" has the format ${words.format(stored)}, not ${words.format(format)}. Choose another name for this source.`,
  'source-has-no-url': ({ name }: { name: string }) =>
    `The source ${name} has no address. Name the files to import.`,
  'endpoint-without-dry-run': 'A dry run of an OParl endpoint is not possible.',
  'settings-missing': 'Choose a format and a name of the source first.',
  'organization-time-zone-unknown': (
    { name, timeZone }: { name: string; timeZone: string },
    { isPage }: Words,
  ) =>
    `${name} has the unknown time zone ${timeZone}. Set another one ${isPage ? 'in the settings of the municipality' : 'with "rostra organization edit --time-zone"'}.`,
  'country-unsupported': ({ country }: { country: string }) =>
    `ROSTRA_REDACT_COUNTRY must be a country such as DE, AT or CH, not "${country}".`,
  'pattern-setting-invalid': ({ problem }: { problem: AnyReason }, words: Words) =>
    `The patterns of ROSTRA_REDACT_PATTERNS are invalid: ${words.reason(problem)}`,
  'patterns-no-map': 'The file of patterns must map names to patterns.',
  'patterns-unreadable': ({ reason }: { reason: string }) =>
    `The file of patterns is neither JSON nor YAML (${reason}).`,
  'pattern-name-invalid': ({ name, reserved }: { name: string; reserved: string }) =>
    `${name} is not the name of a pattern: a name has at most 40 letters, blanks and hyphens, and is none of ${reserved}.`,
  'pattern-no-text': ({ name }: { name: string }) => `The pattern "${name}" is not a text.`,
  'pattern-no-regular-expression': ({ name, reason }: { name: string; reason: string }) =>
    `The pattern "${name}" is not a regular expression (${reason}).`,
  'pattern-matches-empty-text': ({ name }: { name: string }) =>
    `The pattern "${name}" matches the empty text.`,

  'address-missing': ({ url, status }: Address & { status: number }) => `${url} does not exist (${status}).`,
  'address-denied': ({ url, status }: Address & { status: number }) =>
    `Access to ${url} is denied (${status}). The data must be accessible without a login.`,
  'address-fails': ({ url, status }: Address & { status: number }) =>
    `${url} answered with ${status}. Try again later.`,
  'address-answers-with': ({ url, status }: Address & { status: number }) => `${url} answered with ${status}`,
  'address-refuses': ({ url, status, text }: Quoted & { status: number }) =>
    `${url} refuses the request (${status}): ${quote(text)}`,
  'address-status-unexpected': ({ url, status }: Address & { status: number }) =>
    `${url} answered with the unexpected status ${status}.`,
  'address-not-requested': ({ url, problem }: Address & { problem: AnyReason }, words: Words) =>
    `${url} is not requested: ${words.reason(problem)}`,
  'redirect-not-requested': (
    { from, url, problem }: Address & { from: string; problem: AnyReason },
    words: Words,
  ) => `${from} redirects to ${url}, which is not requested: ${words.reason(problem)}`,
  'redirect-invalid': ({ url, text }: Quoted) =>
    `${url} redirects to ${quote(text)}, which is not a valid URL.`,
  'redirects-too-often': ({ from, url, max }: Address & { from: string; max: number }) =>
    `${from} redirects more than ${max} times, the last time to ${url}.`,
  'url-in-private-network': ({ refusal = 'unstated' }: { refusal?: HostRefusal }, { isPage }: Words) =>
    hostRefusals[isPage ? 'unstated' : refusal],
  'url-unencrypted': ({ refusal = 'unstated' }: { refusal?: HostRefusal }, { isPage }: Words) =>
    isPage || refusal === 'private' || refusal === 'unstated'
      ? 'it uses http without encryption, and its host is not in ROSTRA_DOWNLOAD_NETWORKS. Use https.'
      : hostRefusals[refusal],
  'url-not-http': 'it uses neither http nor https.',
  'url-not-encrypted': 'it does not use https.',
  'url-less-encrypted': 'it uses http, but the endpoint uses https.',
  'url-has-password': 'it contains a user name or password.',
  'url-on-other-host': ({ host }: { host: string }, { isPage }: Words) =>
    `it is on another host than the endpoint. ${isPage ? `Your operator can allow ${host}.` : `To allow it, add --allow-host ${host}`}`,
  'address-slow': ({ url, seconds }: Address & { seconds: number }) =>
    `${url} did not answer completely within ${seconds} seconds.`,
  'address-silent': ({ url, seconds }: Address & { seconds: number }) =>
    `${url} did not answer within ${seconds} seconds`,
  'address-too-large': ({ url, mebibytes }: Address & { mebibytes: number }) =>
    `${url} answered with more than ${mebibytes} MiB. ROSTRA_MAX_DOWNLOAD limits the size.`,
  'address-without-content': ({ url }: Address) => `${url} answered without content.`,
  'address-is-web-page': ({ url }: Address) =>
    `${url} answered with a web page (HTML) in place of data. Open it in a browser: it may need a login, or the file has another address now.`,
  'address-not-stored': ({ url }: Address) =>
    `The folder for temporary files is full, so ${url} cannot be stored.`,
  'connection-closed': ({ url }: Address) => `${url} closed the connection before its answer was complete.`,
  'connection-failed': ({ url, detail }: Address & { detail: string }) =>
    `The connection to ${url} failed (${detail})`,
  'certificate-untrusted': ({ host, detail }: { host: string; detail: string }) =>
    `The certificate of ${host} is not trusted (${detail}). For a certificate of your own authority, set NODE_EXTRA_CA_CERTS to the file of its certificate.`,
  'host-unknown': ({ host }: { host: string }) => `The host name ${host} does not exist.`,
  'name-server-silent': ({ host }: { host: string }) =>
    `No name server of this machine answers for the host name ${host}`,
  'request-failed': ({ url, detail }: Address & { detail: string }) =>
    `The request to ${url} failed: ${detail}.`,
  'pause-requested': ({ problem, seconds }: { problem: AnyReason; seconds: number }, words: Words) =>
    `${words.reason(problem)}, and requests a pause of ${seconds} seconds. Try again after that.`,
  'attempts-failed': ({ problem, attempts }: { problem: AnyReason; attempts: number }, words: Words) =>
    `${words.reason(problem)}, ${attempts} times. Try again later.`,

  'endpoint-too-many-requests': ({ max }: { max: number }, { isPage, number }: Words) =>
    `The endpoint needs more than ${number(max)} requests. ${isPage ? 'Your operator can allow more.' : 'To allow more, use --max-requests.'}`,
  'endpoint-answer-too-large': ({ url }: Address) => `${url} answered with more than 64 MiB.`,
  'endpoint-answer-malformed': ({ url, problem }: Address & { problem: AnyReason }, words: Words) =>
    `${url} answered with JSON that ${words.reason(problem)}.`,
  'endpoint-answer-not-json': ({ url, type, bytes }: Address & { type: string; bytes: number }) =>
    `${url} did not answer with complete JSON in UTF-8 (content type ${quote(type)}, ${bytes} bytes). Is it the address of an API?`,
  'endpoint-without-bodies': ({ url }: Address) => `The system at ${url} has no list of bodies.`,
  'endpoint-unknown-type': ({ url, type }: Address & { type: string | undefined }) =>
    `${url} is not an OParl system, body or list: it has ${type === undefined ? 'no type' : `the type ${quote(type)}`}.`,
  /** @param values `wanted`: the body that the source names */
  'endpoint-body-missing': ({
    url,
    wanted,
    known,
  }: Address & { wanted: string | undefined; known: string }) =>
    `${url} has no body${wanted === undefined ? '.' : ` "${wanted}". It has ${known || 'none'}.`}`,
  'endpoint-body-ambiguous': (
    { url, count, known }: Address & { count: number; known: string },
    { isPage }: Words,
  ) =>
    `There are ${count} bodies at ${url}: ${isPage ? 'ask your operator to choose one by its id' : 'choose one by its id with --body'}. They are ${known}.`,
  'endpoint-body-empty': ({ text }: { text: string }) =>
    `The body ${quote(text)} has no list of papers and no list of meetings.`,
  'endpoint-list-circular': ({ list, url }: Address & { list: string }) =>
    `The list ${list} is circular: it leads to ${url} twice.`,
  'endpoint-list-expected': ({ url }: Address) => `${url} is not an OParl list: it has no "data".`,
  'endpoint-next-invalid': ({ url }: Address) => `The URL of the next page in ${url} is invalid.`,
  'endpoint-shrunk': (values: {
    papers: number;
    meetings: number;
    papersBefore: number;
    meetingsBefore: number;
  }) =>
    `The endpoint lists ${values.papers} papers and ${values.meetings} meetings, but had ${values.papersBefore} and ${values.meetingsBefore} before. This is probably a fault of the endpoint.`,

  'portal-key-without-portal':
    'Only a source with the address of a data portal that takes keys can have a key. Choose the system of the portal.',
  'portal-key-without-setting':
    'Keys of portals are encrypted with ROSTRA_ENCRYPTION_KEY, which is not set. The operator of this installation sets it.',
  'portal-key-invalid':
    'The key of a portal must have 8 to 4,096 letters, digits and signs of ASCII, without spaces.',
  'portal-key-unreadable':
    'The key of the portal cannot be decrypted: it was stored with another ROSTRA_ENCRYPTION_KEY. Set that one again, or store the key of the portal again.',
  'portal-key-of-other-portal': ({ stored, origin }: { stored: string; origin: string }) =>
    `The stored key belongs to ${stored}, but the address of the source is at ${origin}. Store the key of this portal, or remove the stored one.`,
  'portal-key-missing': ({ portal, status }: Portal, { isPage }: Words) =>
    `${portal} denies access without a key (${status}). Get a key there, and ${isPage ? 'enter it' : 'store it with "rostra source edit NAME --key-file FILE"'}.`,
  'portal-key-refused': ({ portal, status }: Portal, { isPage }: Words) =>
    `${portal} refuses the key (${status}): it may have expired, or may not read these data. Get a new key there, and ${isPage ? 'enter it' : 'store it with "rostra source edit NAME --key-file FILE"'}.`,
  'live-address-unknown': ({ system, url }: Address & { system: string }) =>
    `${url} is not an address of ${system} that Rostra knows. Copy the address of the page with the data, or that of its API.`,
  'system-of-other-format': ({ system, format }: { system: string; format: string }, words: Words) =>
    `Data of ${system} has the format ${words.format(format)}. Choose it for this source.`,
  'live-time-invalid': ({ name, text }: { name: string; text: string }) =>
    `The address has an invalid time in ${name}: ${quote(text)}. Write it as 2026-01-31T00:00:00Z.`,
  'live-windows-ignored': (values: Address & { time: string; from: string; to: string }) =>
    `${values.url} was asked for records from ${values.from} to ${values.to}, but returned one of ${values.time}. Rostra cannot read all records of a server that does not select them by time.`,
  'source-terms-forbid': ({ system, license }: { system: string; license: string }, { isPage }: Words) =>
    `${system} publishes its data under ${license}, so others may not publish it under an open licence. Ask ${system} for permission, then ${isPage ? 'confirm it below' : 'add --may-republish'}.`,
  'live-collection-empty': ({ url }: Address) =>
    `${url} has no table that its API offers. Copy the address of a file from the page.`,
  'address-misfits-system': ({ url }: Address) =>
    `${url} answered, but not as the chosen system does. Choose another system, or let Rostra find it out from the address.`,
  'live-source-refuses': ({ url, text }: Quoted) => `${url} answered with an error: ${quote(text)}`,
  'live-source-without-records': ({ url, path }: Address & { path: string }) =>
    `${url} answered without a list of records${path === '' ? '' : ` at ${quote(path)}`}. Is it the address of another system?`,
  'live-source-without-lists': ({ url }: Address) => `${url} has no list of records that Rostra can read.`,
  'live-source-ambiguous': ({ url, count, known }: Address & { count: number; known: string }) =>
    `${url} has ${count} lists. Use the address of one of them for this source: ${known}.`,
  'live-records-empty': ({ url }: Address) => `${url} answered, but has no records.`,
  'live-records-incomplete': ({ url }: Address) =>
    `${url} did not return all of its records, or changed them meanwhile. Try again later.`,
};
