/** The generated pages of docs/privacy/: what Rostra stores of whom. */
import {
  concerns,
  type DataSubject,
  dataSubjects,
  otherTables,
  type PersonalDataKind,
  personalData,
  type Retention,
} from '../src/store/personal-data-columns.ts';

interface Texts {
  title: string;
  intro: string;
  columns: readonly [table: string, columns: string, data: string, kept: string];
  subjects: Record<DataSubject, string>;
  kinds: Record<PersonalDataKind, string>;
  kept: Record<Retention, string>;
  others: string;
  othersIntro: string;
}

const en: Texts = {
  title: 'Personal data in the database',
  intro: `The list follows from the code, and a test compares it with the tables of both databases. Copies in generated columns are
listed, too. Random ids, and ids that are computed from those of a source, are not listed. If a setting in the last column
has no value, there is no limit ([retention](../retention.md)).`,
  columns: ['table', 'columns', 'data', 'kept'],
  subjects: {
    citizen: 'People who made a submission, or whom a text names',
    account: 'People with an account of the admin area',
    keyHolder: 'Users of API keys',
    contact: 'Contacts of municipalities',
  },
  kinds: {
    text: 'published text, which can name people; imports can replace recognisable data',
    textCopy: 'earlier, unpublished or waiting version of such texts',
    word: 'single words of published texts, by which searches find the records; removed with the last record that has them',
    digest:
      'keyed digests (HMAC-SHA-256) of number, day and text of an unpublished or removed record, by which imports recognise it; no text',
    reason: 'reason of a decision, written by hand',
    note: 'note for colleagues, written by hand; never published',
    redactionTerm: 'words, names and patterns that imports replace or map',
    reference: 'number or address with which the municipality finds the record in its own system',
    location: 'rounded coordinates, which can show where a person lives',
    email: 'email address',
    actor: 'email address of the account that acted, or “command line”',
    personName: 'name of the person',
    networkAddress: 'network address, or user and machine of a command',
    browser: 'name of the browser and of the operating system',
    credential: 'hash or secret that proves who the person is',
    identity: 'identity at the provider of single sign-on',
    role: 'role, language, or chosen emails',
    activity: 'what the person did to what, and when',
    fileName: 'name of a file or address, as the person wrote it',
    delivery: 'kind of a sent email, and why it could not be delivered; no text',
    keyContact: 'name, contact and purpose of the key',
    keyUse: 'numbers of requests, and the latest rejected ones without values; no network addresses',
    contact: 'name, email address and page',
    change: 'earlier and new values, also of keys and accounts',
  },
  kept: {
    record:
      'until the municipality removes the record, or its source no longer has it and an import removes it',
    municipality: 'until somebody changes it or removes the municipality',
    key: '`ROSTRA_RETAIN_REVOKED_KEYS` after the end of the key',
    keyUse: '400 days',
    rejectedRequest: '90 days, at most 50 of each key',
    account: 'until the account is removed',
    link: 'until its use; it is valid for seven days, for a forgotten password one hour',
    session: 'until the person signs out, or signs in again after twelve hours',
    attempt: '24 hours',
    mail: '90 days',
    auditLog: '`ROSTRA_RETAIN_AUDIT_LOG`',
    importHistory: '`ROSTRA_RETAIN_IMPORT_HISTORY`',
    source: 'until the source is removed',
    undo: '30 days',
    decision: 'until the decision is taken back',
    approval: 'the values until the request ends, at most 30 days; the rest 90 days longer',
    formerSurvey: 'until the survey is public again, or removed for good',
    indexing:
      'until the words of the record are indexed: at the end of the transaction, or within a few minutes if an earlier version wrote it',
  },
  others: 'Tables without personal data',
  othersIntro: 'They hold technical values, links between records, and numbers of changes:',
};

const de: Texts = {
  title: 'Personenbezogene Daten in der Datenbank',
  intro: `Die Liste wird aus dem Quelltext erzeugt. Ein Test vergleicht sie mit den Tabellen beider Datenbanksysteme. Auch Kopien in
berechneten Spalten sind aufgeführt. Zufällige Kennungen und solche, die aus Kennungen der Quelle berechnet werden, sind nicht
aufgeführt. Hat eine Einstellung in der letzten Spalte keinen Wert, gilt keine Frist ([Aufbewahrung](deutsch.md#aufbewahrung)).`,
  columns: ['Tabelle', 'Spalten', 'Daten', 'Speicherdauer'],
  subjects: {
    citizen: 'Personen, die ein Anliegen eingereicht haben oder in einem Text genannt sind',
    account: 'Personen mit einem Konto im Verwaltungsbereich',
    keyHolder: 'Inhaberinnen und Inhaber von API-Schlüsseln',
    contact: 'Ansprechpersonen der Kommunen',
  },
  kinds: {
    text: 'veröffentlichter Text, in dem Personen genannt sein können; Importe können erkennbare Angaben ersetzen',
    textCopy: 'frühere, nicht veröffentlichte oder noch zu prüfende Fassung solcher Texte',
    word: 'einzelne Wörter veröffentlichter Texte, über die die Suche Datensätze findet; mit dem letzten Datensatz, der sie enthält, gelöscht',
    digest:
      'mit einem Schlüssel gebildete Prüfwerte (HMAC-SHA-256) aus Nummer, Tag und Text eines zurückgezogenen oder gelöschten Datensatzes, an denen Importe ihn wiedererkennen; kein Text',
    reason: 'Begründung einer Entscheidung als Freitext',
    note: 'Notiz für Kolleginnen und Kollegen als Freitext; wird nie veröffentlicht',
    redactionTerm: 'Wörter, Namen und Muster, die Importe ersetzen oder zuordnen',
    reference: 'Nummer oder Adresse, unter der die Kommune den Datensatz in ihrem eigenen System findet',
    location: 'gerundete Koordinaten, die zeigen können, wo eine Person wohnt',
    email: 'E-Mail-Adresse',
    actor: 'E-Mail-Adresse des handelnden Kontos oder „command line“ (Befehlszeile)',
    personName: 'Name der Person',
    networkAddress: 'IP-Adresse oder, bei Befehlen, Benutzer- und Rechnername',
    browser: 'Bezeichnung von Browser und Betriebssystem',
    credential: 'Hashwert oder Geheimnis zum Nachweis der Identität',
    identity: 'Kennung beim Anbieter für Single Sign-on',
    role: 'Rolle, Sprache oder gewählte Benachrichtigungen',
    activity: 'Art, Gegenstand und Zeitpunkt einer Handlung',
    fileName: 'Name einer Datei oder Internetadresse, wie die Person ihn angegeben hat',
    delivery: 'Art einer gesendeten E-Mail und Grund einer gescheiterten Zustellung; kein Text',
    keyContact: 'Name, Kontakt und Zweck des Schlüssels',
    keyUse:
      'Anzahl der Anfragen und die letzten abgelehnten Anfragen ohne Werte von Parametern; keine IP-Adressen',
    contact: 'Name, E-Mail-Adresse und Internetseite',
    change: 'frühere und neue Werte, auch von Schlüsseln und Konten',
  },
  kept: {
    record:
      'bis die Kommune den Datensatz löscht oder ein Import ihn entfernt, weil die Quelle ihn nicht mehr enthält',
    municipality: 'bis zur Änderung oder bis zur Löschung der Kommune',
    key: '`ROSTRA_RETAIN_REVOKED_KEYS` ab Ende der Gültigkeit',
    keyUse: '400 Tage',
    rejectedRequest: '90 Tage, höchstens 50 je Schlüssel',
    account: 'bis zur Löschung des Kontos',
    link: 'bis zur Verwendung; gültig sieben Tage, bei vergessenem Passwort eine Stunde',
    session: 'bis zur Abmeldung oder, nach zwölf Stunden, bis zur nächsten Anmeldung',
    attempt: '24 Stunden',
    mail: '90 Tage',
    auditLog: '`ROSTRA_RETAIN_AUDIT_LOG`',
    importHistory: '`ROSTRA_RETAIN_IMPORT_HISTORY`',
    source: 'bis zur Löschung der Quelle',
    undo: '30 Tage',
    decision: 'bis die Entscheidung zurückgenommen wird',
    approval: 'die Werte bis zum Ende der Bitte, höchstens 30 Tage; das Übrige 90 Tage länger',
    formerSurvey: 'bis die Umfrage wieder öffentlich ist oder endgültig gelöscht wird',
    indexing:
      'bis die Wörter des Datensatzes verzeichnet sind: am Ende der Transaktion oder, wenn eine frühere Version ihn geschrieben hat, nach wenigen Minuten',
  },
  others: 'Tabellen ohne personenbezogene Daten',
  othersIntro:
    'Sie enthalten technische Werte, Verknüpfungen zwischen Datensätzen und Nummern von Änderungen:',
};

/** @returns the names of the pages in docs/, and their texts */
export const generateStoredDataPages = (note: string): [file: string, text: string][] => [
  ['privacy/stored-data.md', `${note}\n\n${formatPage(en)}`],
  ['privacy/gespeicherte-daten.md', `${note}\n\n${formatPage(de)}`],
];

function formatPage(texts: Texts): string {
  const header = `| ${texts.columns.join(' | ')} |\n| --- | --- | --- | --- |`;
  const sections = dataSubjects.map((subject) => {
    const rows = listRows(subject).map(
      ({ table, columns, kind, kept }) =>
        `| \`${table}\` | ${columns.map((column) => `\`${column}\``).join(', ')} | ${texts.kinds[kind]} | ${texts.kept[kept]} |`,
    );
    return `## ${texts.subjects[subject]}\n\n${header}\n${rows.join('\n')}\n`;
  });
  const others = Object.keys(otherTables).map((table) => `\`${table}\``);
  return `# ${texts.title}\n\n${texts.intro}\n\n${sections.join('\n')}\n## ${texts.others}\n\n${texts.othersIntro}\n${others.join(', ')}.\n`;
}

/** One row for each table and kind of data. */
const listRows = (subject: DataSubject) =>
  Object.entries(personalData).flatMap(([table, { personal, kept }]) =>
    [...Map.groupBy(Object.entries(personal), ([, kind]) => kind)]
      .filter(([kind]) => concerns(subject, kind))
      .map(([kind, entries]) => ({ table, kind, kept, columns: entries.map(([column]) => column) })),
  );
