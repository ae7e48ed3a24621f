/** Folded explanations for people who open a page for the first time. */
import { permissions } from './accounts.ts';

interface HelpText {
  /** The question that the paragraphs answer. */
  title: string;
  paragraphs: string[];
}

export const help = {
  importFile: {
    title: 'Which files can I import?',
    paragraphs: [
      'A table with one row for each submission, for example from Excel, with a number, the text and the date of each. It may have further columns: in the next step you choose which of them are published.',
      'Rostra recognises exports of council information systems (OParl), issue reporting systems (Open311), Decidim, CONSUL, LimeSurvey and calendars by their content.',
    ],
  },
  settings: {
    title: 'What do I have to check here?',
    paragraphs: [
      'The identifier must be the same in the next file. Otherwise every record is published twice.',
      'The text must not name people who have not agreed to it. You can have email addresses, telephone numbers and other personal data replaced.',
      'Day and month of dates must not be swapped. Everything else has a suggestion that you can keep. Nothing is published yet: the dry run follows.',
    ],
  },
  dryRun: {
    title: 'What is a dry run?',
    paragraphs: [
      'Rostra has read and checked the whole file as in an import, but has published nothing. This page shows what the import would do.',
      'If something is wrong, change the settings and repeat the dry run as often as you like. For 30 days you can undo the last import of a source. Surveys are an exception: you unpublish them on their page.',
    ],
  },
  sources: {
    title: 'When do I need another source?',
    paragraphs: [
      'Use one source for each system that your data comes from, for example one for the issue reporting system and one for the council information system. Next month’s file of the same system belongs to the same source: it updates known records instead of adding them again.',
      'To add a source, import its first file and choose “New source”.',
    ],
  },
  locations: {
    title: 'Which precision is right for us?',
    paragraphs: [
      'Begin with three decimal places. A map then shows the neighbourhood, but not the house. Four decimal places suit reports on streets, lamps and playgrounds, not reports on neighbours or on somebody’s own home.',
      'If in doubt, ask your data protection officer. You can choose a lower precision later, which takes effect immediately. Copies that others have made stay as they are.',
    ],
  },
  openData: {
    title: 'How does this differ from API keys?',
    paragraphs: [
      'A key is for a single program. You know who uses it and can revoke it. Open data is for everyone: a page to read and search, and files to download, without registration.',
      'Both publish the same data. You can use either or both. Data portals such as GovData can read the catalogue of your open data.',
    ],
  },
  keys: {
    title: 'Who needs a key?',
    paragraphs: [
      'Every program that fetches your data: an app, a website, a dashboard. People who only want to read the data do not need a key if your open data is on.',
      'A key reads published data only, and changes nothing. It is shown once. Send it over a secure channel, and not in an ordinary email. If it becomes public, revoke it: the program then needs a new one.',
    ],
  },
  accounts: {
    title: 'Which tasks should I choose?',
    paragraphs: Object.values(permissions).map(({ label, hint }) => `${label}: ${hint}`),
  },
} satisfies Record<string, HelpText>;

export type HelpTopic = keyof typeof help;
