/** The pages for accessibility officers, in English and German. */
import { checkedTags } from '../test/support/accessibility-checks.ts';
import { formatPage, list, quote, type Text, table } from './translated-page.ts';

/** The English texts are titles of tests. */
const keyboardTasks: Text[] = [
  { en: 'corrects a submission', de: 'berichtigt ein Anliegen' },
  {
    en: 'unpublishes a submission after a form without a reason, and publishes it again',
    de: 'nimmt die Veröffentlichung eines Anliegens zurück, nachdem zunächst die Begründung fehlte, und veröffentlicht es wieder',
  },
  { en: 'removes a submission for good', de: 'löscht ein Anliegen endgültig' },
  {
    en: 'chooses a licence and switches open data on',
    de: 'wählt eine Lizenz und schaltet offene Daten ein',
  },
  {
    en: 'changes the settings of a source, and removes it',
    de: 'ändert die Einstellungen einer Quelle und löscht sie',
  },
  {
    en: 'reads the lists of a dry run, decides about personal data, imports, and undoes it',
    de: 'liest die Listen eines Testlaufs, entscheidet über personenbezogene Daten, importiert und macht den Import rückgängig',
  },
  {
    en: 'signs in with a password after a wrong one, and signs out',
    de: 'meldet sich nach einem falschen Passwort an und wieder ab',
  },
  {
    en: 'sets up a second factor with recovery codes, and signs in with a code',
    de: 'richtet einen zweiten Faktor mit Wiederherstellungscodes ein und meldet sich mit einem Code an',
  },
  {
    en: 'replaces a forgotten password with the link of an email',
    de: 'ersetzt ein vergessenes Passwort über den Link in einer E-Mail',
  },
  {
    en: 'leads from an invitation to the first answered request in four presses',
    de: 'gelangt von der Einladung mit vier Schaltflächen zur ersten beantworteten Anfrage',
  },
  { en: 'rotates a key', de: 'ersetzt einen Schlüssel' },
  {
    en: 'finds a leaked key and revokes it',
    de: 'findet einen bekannt gewordenen Schlüssel und widerruft ihn',
  },
  {
    en: 'invites a colleague who issues keys',
    de: 'lädt eine Kollegin oder einen Kollegen mit der Aufgabe „Schlüssel“ ein',
  },
  { en: 'reads the values of the statistics', de: 'liest die Werte der Statistik' },
  { en: 'adds a municipality', de: 'fügt eine Kommune hinzu' },
  {
    en: 'finds a pasted key among those of all municipalities, and revokes it',
    de: 'findet einen eingefügten Schlüssel unter denen aller Kommunen und widerruft ihn',
  },
];

const tags = checkedTags.map((tag) => `\`${tag}\``).join(', ');
const decision = 'https://eur-lex.europa.eu/eli/dec_impl/2018/1523/oj';

const page: Text[] = [
  { en: '# Accessibility', de: '# Barrierefreiheit' },
  {
    en: 'For accessibility officers: the tests of the software, their gaps, and a statement to paste. [Auf Deutsch](barrierefreiheit.md)',
    de: 'Für Beauftragte für Barrierefreiheit: die Prüfungen der Software, ihre Lücken und eine Erklärung als Vorlage. [In English](accessibility.md)',
  },
  { en: '## What is tested', de: '## Was geprüft wird' },
  {
    en: 'Automated tests run in Chromium (`test/admin/pages/`, `test/nightly/pages/`), all of them every night, and tolerate no error.',
    de: 'Automatische Tests laufen in Chromium (`test/admin/pages/`, `test/nightly/pages/`), nachts vollständig, und dulden keinen Fehler.',
  },
  table(
    [
      { en: 'subject', de: 'Gegenstand' },
      { en: 'test', de: 'Prüfung' },
    ],
    [
      { en: 'pages', de: 'Seiten' },
      {
        en: 'every page of the admin area and of open data in each of its states, such as empty, filtered or with errors; the documentation at `/docs`',
        de: 'alle Seiten des Verwaltungsbereichs und der offenen Daten in allen Zuständen, zum Beispiel leer, gefiltert oder mit Fehlern; die Dokumentation unter `/docs`',
      },
    ],
    [
      { en: 'rules', de: 'Regeln' },
      {
        en: `all rules of [axe](https://github.com/dequelabs/axe-core) with the tags ${tags}`,
        de: `alle Regeln von [axe](https://github.com/dequelabs/axe-core) mit den Kennzeichen ${tags}`,
      },
    ],
    [
      { en: 'languages, themes, widths', de: 'Sprachen, Farbschemata, Breiten' },
      {
        en: 'each state in German and English, light and dark, 320 and 1280 pixels wide; once in forced colours. `/docs` is English',
        de: 'jeder Zustand auf Deutsch und Englisch, hell und dunkel, 320 und 1280 Pixel breit; einmal im Kontrastmodus des Betriebssystems. `/docs` ist englisch',
      },
    ],
    [
      { en: 'reflow', de: 'Umbruch' },
      {
        en: 'at 320 pixels no page scrolls horizontally; tables of keys, accounts, municipalities and browsers become cards',
        de: 'bei 320 Pixeln Breite ist kein waagerechtes Scrollen nötig; Tabellen von Schlüsseln, Konten, Kommunen und Browsern werden zu Karten',
      },
    ],
    [
      { en: 'text spacing (1.4.12)', de: 'Textabstände (1.4.12)' },
      {
        en: 'no text of the admin area or of open data is cut, covered or wider than the window',
        de: 'im Verwaltungsbereich und in den offenen Daten wird kein Text abgeschnitten, verdeckt oder breiter als das Fenster',
      },
    ],
    [
      { en: 'skip link', de: 'Sprunglink' },
      {
        en: 'the first Tab key shows it, readable and uncovered; Enter follows it',
        de: 'die erste Betätigung der Tabulatortaste zeigt ihn lesbar und unverdeckt; die Eingabetaste folgt ihm',
      },
    ],
    [
      { en: 'charts', de: 'Diagramme' },
      {
        en: 'arrow keys show each value, and a table has all values',
        de: 'die Pfeiltasten zeigen jeden Wert, eine Tabelle enthält alle Werte',
      },
    ],
    [
      { en: 'without JavaScript', de: 'ohne JavaScript' },
      {
        en: 'the menu, `/docs` and the tables of charts',
        de: 'das Menü, `/docs` und die Tabellen der Diagramme',
      },
    ],
  ),
  {
    en: 'A person who uses the keyboard alone, and sees the focus at each step (`test/nightly/pages/keyboard*.test.ts`),',
    de: 'Eine Person, die allein die Tastatur verwendet und bei jedem Schritt den Fokus sieht (`test/nightly/pages/keyboard*.test.ts`),',
  },
  list(...keyboardTasks),
  { en: '## Limits of the tests', de: '## Grenzen der Prüfung' },
  list(
    {
      en: 'screen readers, magnifiers, voice input and other assistive technology',
      de: 'Screenreader, Vergrößerungssoftware, Spracheingabe und andere assistive Technologien',
    },
    {
      en: 'use by people with disabilities; no independent body has tested the pages',
      de: 'Nutzung durch Menschen mit Behinderungen; keine unabhängige Stelle hat die Seiten geprüft',
    },
    {
      en: 'barriers that automated rules do not find, such as incomprehensible texts or a confusing order',
      de: 'Barrieren, die automatische Regeln nicht finden, zum Beispiel unverständliche Texte oder eine verwirrende Reihenfolge',
    },
    { en: 'browsers other than Chromium', de: 'andere Browser als Chromium' },
    {
      en: 'the documentation on a code host, the command line and the emails',
      de: 'die Dokumentation auf Entwicklungsplattformen, die Befehlszeile und die E-Mails',
    },
  ),
  { en: '## What the operator contributes', de: '## Was der Betreiber beiträgt' },
  list(
    {
      en: 'Published texts come from sources. Their language is marked only if the municipality has set it.',
      de: 'Veröffentlichte Texte stammen aus den Quellen. Ihre Sprache ist nur ausgezeichnet, wenn die Kommune sie festgelegt hat.',
    },
    {
      en: 'Linked documents and pages, such as PDF files of a council information system, are not part of Rostra.',
      de: 'Verlinkte Dokumente und Seiten, zum Beispiel PDF-Dateien eines Ratsinformationssystems, gehören nicht zu Rostra.',
    },
    {
      en: 'Easy language and sign language are up to the operator where the law demands them.',
      de: 'Leichte Sprache und Deutsche Gebärdensprache stellt der Betreiber bereit, soweit sie vorgeschrieben sind (für Stellen des Bundes § 4 BITV 2.0).',
    },
  ),
  { en: '## Statement to paste', de: '## Erklärung als Vorlage' },
  {
    en: `It follows the model of the [Implementing Decision (EU) 2018/1523](${decision}) for Directive (EU) 2016/2102. \`ROSTRA_ACCESSIBILITY_URL\` links to the page on which you publish it.`,
    de: `Die Vorlage folgt dem Muster des [Durchführungsbeschlusses (EU) 2018/1523](${decision}) zur Richtlinie (EU) 2016/2102. \`ROSTRA_ACCESSIBILITY_URL\` verlinkt die Seite, auf der Sie die Erklärung veröffentlichen.`,
  },
  quote(
    { en: '**Accessibility statement**', de: '**Erklärung zur Barrierefreiheit**' },
    {
      en: '[Name of the public body] is committed to making its website accessible, in accordance with [national law that transposes Directive (EU) 2016/2102]. This statement applies to [address of the installation]: the pages of open data, the admin area and the documentation of the API.',
      de: '[Name der öffentlichen Stelle] ist bemüht, ihre Website im Einklang mit [§ 12a BGG / Landesrecht] barrierefrei zugänglich zu machen. Diese Erklärung gilt für [Adresse der Installation]: für die Seiten der offenen Daten, den Verwaltungsbereich und die Dokumentation der API.',
    },
    {
      en: '**Compliance status.** This website is [fully / partially / not] compliant with EN 301 549 and the Web Content Accessibility Guidelines 2.1, level AA [, due to the content listed below].',
      de: '**Stand der Vereinbarkeit mit den Anforderungen.** Diese Website ist mit der BITV 2.0, der EN 301 549 und den Web Content Accessibility Guidelines 2.1, Konformitätsstufe AA, [vollständig / teilweise / nicht] vereinbar [wegen der folgenden Inhalte].',
    },
    {
      en: '**Non-accessible content.** [Content, reason, accessible alternative. For example: linked PDF files of the council information system.]',
      de: '**Nicht barrierefreie Inhalte.** [Inhalt, Begründung, barrierefreie Alternative. Zum Beispiel: verlinkte PDF-Dateien des Ratsinformationssystems.]',
    },
    {
      en: '**Preparation of this statement.** It was prepared on [date], by [self-assessment / assessment of a third party]. The software is tested automatically with the rules of axe for WCAG 2.2, levels A and AA, and by keyboard. Assistive technology was [not tested / tested with …]. Last reviewed on [date].',
      de: '**Erstellung dieser Erklärung.** Diese Erklärung wurde am [Datum] erstellt, auf Grundlage einer [Selbstbewertung / Bewertung durch Dritte]. Die Software wird automatisch mit den Regeln von axe für WCAG 2.2, Stufen A und AA, und mit der Tastatur geprüft. Assistive Technologien wurden [nicht geprüft / geprüft mit …]. Letzte Überprüfung: [Datum].',
    },
    {
      en: '**Feedback.** Tell us about barriers, or ask for content in an accessible form: [name, email address, telephone].',
      de: '**Feedback und Kontakt.** Barrieren können Sie uns mitteilen, und Informationen in barrierefreier Form können Sie anfordern: [Name, E-Mail-Adresse, Telefon].',
    },
    {
      en: '**Enforcement.** If our answer does not satisfy you, contact [name and address of the enforcement body].',
      de: '**Schlichtungsverfahren.** Wenn Sie mit unserer Antwort nicht zufrieden sind, wenden Sie sich an [Name und Anschrift der Schlichtungs- oder Durchsetzungsstelle].',
    },
  ),
];

/** @returns the names of the pages in docs/, and their texts */
export const generateAccessibilityPages = (note: string): [file: string, text: string][] => [
  ['accessibility.md', formatPage(note, page, 'en')],
  ['barrierefreiheit.md', formatPage(note, page, 'de')],
];
