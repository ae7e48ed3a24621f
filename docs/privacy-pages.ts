/** The texts for data protection officers, in English and German. */
import { formatPage, list, type Text, table } from './translated-page.ts';

const no: Text = { en: 'no', de: 'nein' };
/** For the officer to fill in. */
const blank = '[ ]';

const roles = list(
  {
    en: '**Controller**: the municipality whose data is published ([name, address, representative, data protection officer]).',
    de: '**Verantwortlicher** ist die Kommune, deren Daten veröffentlicht werden: [Name, Anschrift, gesetzliche Vertretung, Datenschutzbeauftragte oder Datenschutzbeauftragter].',
  },
  {
    en: '**Processor**, if somebody else runs Rostra for the municipality: [name]. This needs a contract (Article 28).',
    de: '**Auftragsverarbeiter**, falls ein Dienstleister Rostra betreibt: [Name]. Erforderlich ist ein Vertrag nach Art. 28 DSGVO.',
  },
  {
    en: '**The maintainers of Rostra** receive no data. The software contacts no server of theirs, not even for updates.',
    de: '**Die Entwicklerinnen und Entwickler von Rostra** erhalten keine Daten. Die Software verbindet sich nicht mit ihren Servern, auch nicht für Aktualisierungen.',
  },
);

const record = table(
  ['', ''],
  [
    { en: 'Name', de: 'Bezeichnung' },
    {
      en: 'Publication of participation data with Rostra',
      de: 'Bereitstellung von Beteiligungsdaten mit Rostra',
    },
  ],
  [
    { en: 'Purposes', de: 'Zwecke' },
    {
      en: 'publication of submissions, council sessions, support tallies and survey results; management of access by programs; secure operation',
      de: 'Veröffentlichung von Anliegen, Sitzungen, Unterstützungszahlen und Umfrageergebnissen; Verwaltung der Zugänge für Programme; sicherer Betrieb',
    },
  ],
  [
    { en: 'Legal basis', de: 'Rechtsgrundlage' },
    {
      en: '[Article 6(1)(e) with the national or municipal rule on participation, publication or transparency; for accounts of employees, the rule on employment data]',
      de: '[Art. 6 Abs. 1 Buchst. e DSGVO in Verbindung mit der landes- oder ortsrechtlichen Regelung zu Beteiligung, Veröffentlichung oder Transparenz; für Konten von Beschäftigten die Regelung zum Beschäftigtendatenschutz]',
    },
  ],
  [
    { en: 'Data subjects', de: 'Kategorien betroffener Personen' },
    {
      en: 'people who made a submission or whom a text names; people with an account; users of API keys; contacts of the municipality',
      de: 'Personen, die ein Anliegen eingereicht haben oder in einem Text genannt sind; Personen mit einem Konto; Inhaberinnen und Inhaber von API-Schlüsseln; Ansprechpersonen der Kommune',
    },
  ],
  [
    { en: 'Data', de: 'Kategorien personenbezogener Daten' },
    {
      en: '[Personal data in the database](stored-data.md). Names and addresses of people are not imported as fields, but texts and titles of documents can contain them ([redaction](../importing/redaction.md)). Locations of submissions can show where a person lives. They are rounded before they are stored, and published only if the municipality and the source allow it: [no / yes, 3 or 4 decimals]. Of documents, Rostra stores title and address, not the content',
      de: '[Personenbezogene Daten in der Datenbank](gespeicherte-daten.md). Namen und Anschriften von Personen werden nicht als Felder importiert, können aber in Texten und Titeln von Dokumenten vorkommen ([Ersetzung](../importing/redaction.md)). Standorte von Anliegen können zeigen, wo eine Person wohnt. Sie werden vor dem Speichern gerundet und nur veröffentlicht, wenn Kommune und Quelle es erlauben: [nein / ja, 3 oder 4 Nachkommastellen]. Von Dokumenten speichert Rostra Titel und Adresse, nicht den Inhalt',
    },
  ],
  [
    { en: 'Special categories (Article 9)', de: 'Besondere Kategorien (Art. 9 DSGVO)' },
    {
      en: 'not intended. Texts can contain them: [who checks sources before the first import]',
      de: 'nicht vorgesehen. In Texten können sie vorkommen: [Wer prüft eine Quelle vor dem ersten Import?]',
    },
  ],
  [
    { en: 'Recipients', de: 'Empfänger' },
    {
      en: 'holders of API keys: [list]; the public, if open data is on: [yes/no]; processor: [name]',
      de: 'Inhaberinnen und Inhaber von API-Schlüsseln: [Liste]; die Öffentlichkeit, falls offene Daten eingeschaltet sind: [ja/nein]; Auftragsverarbeiter: [Name]',
    },
  ],
  [
    { en: 'Third countries', de: 'Übermittlung in Drittländer' },
    {
      en: 'none by the software. Open data can be read from everywhere. [Location of servers, backups, mail server, provider of single sign-on]',
      de: 'durch die Software keine. Offene Daten sind weltweit abrufbar. [Standort der Server, der Sicherungen, des Mailservers und des Anbieters für Single Sign-on]',
    },
  ],
  [
    { en: 'Time limits', de: 'Löschfristen' },
    { en: '[Retention](#retention)', de: '[Aufbewahrung](#aufbewahrung)' },
  ],
  [
    { en: 'Measures', de: 'Technische und organisatorische Maßnahmen' },
    {
      en: '[Measures](#measures-article-32)',
      de: '[Maßnahmen](#technische-und-organisatorische-maßnahmen-art-32-dsgvo)',
    },
  ],
);

const database: Text = { en: 'database', de: 'Datenbank' };

const flows = table(
  [
    { en: 'from', de: 'von' },
    { en: 'to', de: 'nach' },
    { en: 'data', de: 'Daten' },
    { en: 'protection', de: 'Schutz' },
  ],
  [
    { en: 'source: file, address or endpoint', de: 'Quelle: Datei, Internetadresse oder Endpunkt' },
    'Rostra',
    {
      en: 'records of the source, also fields that are not published, and exact coordinates',
      de: 'Datensätze der Quelle, auch nicht veröffentlichte Felder und genaue Koordinaten',
    },
    {
      en: 'outside of the own network only https; Rostra deletes the file at the end of the import, after 24 hours at the latest, and the objects of an OParl endpoint (`endpoint_object`) with the source',
      de: 'außerhalb des eigenen Netzes nur https; Rostra löscht die Datei am Ende des Imports, spätestens nach 24 Stunden, und die Objekte eines OParl-Endpunkts (`endpoint_object`) mit der Quelle',
    },
  ],
  [
    'Rostra',
    { en: 'holders of API keys', de: 'Inhaberinnen und Inhaber von API-Schlüsseln' },
    {
      en: 'published records of one municipality',
      de: 'veröffentlichte Datensätze einer Kommune',
    },
    {
      en: 'key, rate limit, TLS by the proxy',
      de: 'Schlüssel, Abrufgrenze, TLS durch den vorgeschalteten Proxy',
    },
  ],
  [
    'Rostra',
    {
      en: 'the public, if open data is on',
      de: 'Öffentlichkeit, falls offene Daten eingeschaltet sind',
    },
    {
      en: 'the same records as pages, files and catalogues',
      de: 'dieselben Datensätze als Seiten, Dateien und Kataloge',
    },
    {
      en: 'rate limits for each network address; removed records leave the files within seconds',
      de: 'Abrufgrenzen je IP-Adresse; gelöschte Datensätze sind nach wenigen Sekunden auch in den Dateien nicht mehr enthalten',
    },
  ],
  [
    { en: 'browser of a visitor of a map', de: 'Browser der Personen, die eine Karte öffnen' },
    {
      en: 'server of the tiles, if `ROSTRA_MAP_TILES` is set',
      de: 'Server der Kartenkacheln, falls `ROSTRA_MAP_TILES` gesetzt ist',
    },
    {
      en: 'network address, the area on the map, address of Rostra',
      de: 'IP-Adresse, Kartenausschnitt, Adresse von Rostra',
    },
    { en: 'no cookies, neither page nor search', de: 'keine Cookies, weder Seite noch Suche' },
  ],
  [
    { en: 'browser of an employee', de: 'Browser der Beschäftigten' },
    'Rostra',
    {
      en: 'email address, password or single sign-on, code, forms, network address, name of the browser',
      de: 'E-Mail-Adresse, Passwort oder Single Sign-on, Code, Formulare, IP-Adresse, Bezeichnung des Browsers',
    },
    { en: 'TLS by the proxy; [cookies](#cookies)', de: 'TLS durch den Proxy; [Cookies](#cookies)' },
  ],
  [
    'Rostra',
    { en: 'mail server, if set', de: 'Mailserver, falls eingerichtet' },
    { en: 'notices to accounts, one-time links', de: 'Benachrichtigungen an Konten, Einmal-Links' },
    {
      en: 'encrypted by default, except on the same machine',
      de: 'in der Voreinstellung verschlüsselt, außer auf demselben Rechner',
    },
  ],
  [
    'Rostra',
    {
      en: 'provider of single sign-on, if set',
      de: 'Anbieter für Single Sign-on, falls eingerichtet',
    },
    {
      en: 'sign-in of an employee; Rostra receives the email address and an identity',
      de: 'Anmeldung von Beschäftigten; Rostra erhält E-Mail-Adresse und Kennung',
    },
    'OpenID Connect',
  ],
  [
    'Rostra',
    { en: 'log', de: 'Betriebsprotokoll' },
    {
      en: 'method, operation, status and time of requests, id of the municipality, beginning of the key; network addresses of failed sign-ins; unless `ROSTRA_AUDIT_LOG=off`, entries of the audit log with email and network addresses',
      de: 'Methode, Operation, Status und Zeit von Anfragen, Kennung der Kommune, Anfang des Schlüssels; IP-Adressen gescheiterter Anmeldungen; außer bei `ROSTRA_AUDIT_LOG=off` die Einträge des Änderungsprotokolls mit E-Mail- und IP-Adressen',
    },
    {
      en: 'no query, no complete key ([logging](../logging.md)). Retention: [journal]',
      de: 'keine Parameter, kein vollständiger Schlüssel ([Logging](../logging.md)). Aufbewahrung: [Journal]',
    },
  ],
  [
    database,
    { en: 'backups', de: 'Sicherungen' },
    { en: 'everything in the database', de: 'gesamter Inhalt der Datenbank' },
    {
      en: 'readable by the owner of the file only; not encrypted: [encryption]',
      de: 'nur für den Eigentümer der Datei lesbar; nicht verschlüsselt: [Verschlüsselung]',
    },
  ],
  [
    database,
    { en: 'exported audit logs', de: 'exportierte Änderungsprotokolle' },
    { en: 'entries of the audit log', de: 'Einträge des Änderungsprotokolls' },
    { en: 'as backups', de: 'wie Sicherungen' },
  ],
  [
    { en: 'command line', de: 'Befehlszeile' },
    { en: 'file of rejected records', de: 'Datei mit abgelehnten Datensätzen' },
    {
      en: 'places, ids and reasons of rejected records, without their content',
      de: 'Stellen, Kennungen und Gründe abgelehnter Datensätze, ohne deren Inhalt',
    },
    {
      en: 'readable by the owner only; to be deleted after the correction',
      de: 'nur für den Eigentümer lesbar; nach der Korrektur zu löschen',
    },
  ],
);

const cookies = table(
  ['Cookie', { en: 'purpose', de: 'Zweck' }, { en: 'lifetime', de: 'Dauer' }],
  [
    '`__Host-rostra`',
    { en: 'sign-in and protection of forms', de: 'Anmeldung und Schutz der Formulare' },
    { en: 'until the browser closes', de: 'bis zum Schließen des Browsers' },
  ],
  [
    '`__Host-rostra-language`',
    { en: 'chosen language', de: 'gewählte Sprache' },
    { en: 'one year', de: 'ein Jahr' },
  ],
  [
    '`__Host-rostra-device-…`',
    {
      en: 'recognises a browser in which the person has signed in before',
      de: 'Erkennung eines Browsers, in dem die Person bereits angemeldet war',
    },
    {
      en: '400 days, or until the password changes',
      de: '400 Tage oder bis zur Änderung des Passworts',
    },
  ],
  [
    '`__Host-rostra-key-…`, `__Host-rostra-sign-on`',
    {
      en: 'shows a new key once; single sign-on',
      de: 'einmalige Anzeige eines neuen Schlüssels; Single Sign-on',
    },
    { en: 'a few minutes', de: 'wenige Minuten' },
  ],
);

const measures = table(
  [
    { en: 'aim', de: 'Ziel' },
    { en: 'software', de: 'Software' },
    { en: 'operator', de: 'Betreiber' },
  ],
  [
    { en: 'minimisation, pseudonymisation', de: 'Datenminimierung, Pseudonymisierung' },
    {
      en: 'only documented fields are imported; redaction of email addresses, telephone numbers, IBANs, number plates, addresses and own words; small counts of surveys are suppressed',
      de: 'Import nur dokumentierter Felder; Ersetzung von E-Mail-Adressen, Telefonnummern, IBAN, Kfz-Kennzeichen, Anschriften und eigenen Wörtern; Unterdrückung kleiner Fallzahlen in Umfragen',
    },
    {
      en: 'choose redaction for each source, check the dry run',
      de: 'Ersetzung je Quelle festlegen, Testlauf prüfen',
    },
  ],
  [
    { en: 'confidentiality: access', de: 'Vertraulichkeit: Zugang und Zugriff' },
    {
      en: 'tasks for each account; approval by another person, if switched on; passwords as Argon2id hashes; second factor; limited attempts to sign in; sign-out after an hour without use',
      de: 'Aufgaben je Konto; Freigabe durch eine zweite Person, falls eingeschaltet; Passwörter als Argon2id-Hashwerte; zweiter Faktor; Begrenzung der Anmeldeversuche; Abmeldung nach einer Stunde ohne Nutzung',
    },
    {
      en: '[`ROSTRA_SECOND_FACTOR=required` or single sign-on]; remove accounts of people who leave',
      de: '[`ROSTRA_SECOND_FACTOR=required` oder Single Sign-on]; Konten ausgeschiedener Personen löschen',
    },
  ],
  [
    { en: 'confidentiality: separation', de: 'Vertraulichkeit: Trennung' },
    {
      en: 'each query contains the municipality; on PostgreSQL also row-level security',
      de: 'jede Abfrage enthält die Kommune; mit PostgreSQL zusätzlich Row-Level Security',
    },
    { en: '[rights on the database]', de: '[Rechte an der Datenbank]' },
  ],
  [
    {
      en: 'confidentiality: transport and storage',
      de: 'Vertraulichkeit: Übertragung und Speicherung',
    },
    {
      en: 'private files; API keys, sessions and one-time links as hashes only, keys of data portals encrypted',
      de: 'nur für den Eigentümer lesbare Dateien; API-Schlüssel, Sitzungen und Einmal-Links nur als Hashwerte, Schlüssel von Datenportalen verschlüsselt',
    },
    {
      en: 'TLS by a proxy; encrypted disks and backups',
      de: 'TLS durch einen Proxy; verschlüsselte Datenträger und Sicherungen',
    },
  ],
  [
    { en: 'integrity', de: 'Integrität' },
    {
      en: 'append-only audit log; dry runs, imports that can be undone; validation of all input',
      de: 'unveränderliches Änderungsprotokoll; Testlauf und Rücknahme von Importen; Prüfung aller Eingaben',
    },
    {
      en: 'decide who may run commands on the server',
      de: 'festlegen, wer Befehle auf dem Server ausführen darf',
    },
  ],
  [
    { en: 'availability, resilience', de: 'Verfügbarkeit, Belastbarkeit' },
    {
      en: 'limits of memory, time and size for requests and imports; several processes or machines possible',
      de: 'Grenzen für Speicher, Zeit und Größe bei Anfragen und Importen; mehrere Prozesse oder Server möglich',
    },
    { en: 'monitoring, capacity', de: 'Überwachung, ausreichende Leistung' },
  ],
  [
    { en: 'recovery', de: 'Wiederherstellbarkeit' },
    {
      en: 'backups with a digest, restore in one step, drills on a schedule',
      de: 'Sicherungen mit Prüfsumme, Wiederherstellung in einem Schritt, regelmäßige Probe',
    },
    {
      en: 'copies on another machine; [rehearsal]',
      de: 'Kopien auf einem anderen Rechner; [Übung]',
    },
  ],
  [
    { en: 'regular testing', de: 'Regelmäßige Überprüfung' },
    {
      en: 'automated tests; each [release](../releasing.md#what-it-makes) has a report of repeated attacks and failures',
      de: 'automatische Tests; jede [Version](../releasing.md#what-it-makes) enthält einen Bericht über wiederholte Angriffe und Ausfälle',
    },
    {
      en: 'updates, [advisories](../../advisories/README.md)',
      de: 'Aktualisierungen, [Sicherheitshinweise](../../advisories/README.md)',
    },
  ],
);

const criteria = table(
  [
    { en: 'criterion', de: 'Kriterium' },
    { en: 'assessment of the software', de: 'Einschätzung zur Software' },
    { en: 'own assessment', de: 'eigene Einschätzung' },
  ],
  [{ en: 'evaluation or scoring of people', de: 'Bewerten oder Einstufen von Personen' }, no, blank],
  [
    {
      en: 'automated decisions with legal effect',
      de: 'automatisierte Entscheidung mit Rechtswirkung',
    },
    no,
    blank,
  ],
  [{ en: 'systematic monitoring', de: 'systematische Überwachung' }, no, blank],
  [
    {
      en: 'sensitive or highly personal data',
      de: 'vertrauliche oder höchstpersönliche Daten',
    },
    { en: 'not intended; possible in texts', de: 'nicht vorgesehen; in Texten möglich' },
    blank,
  ],
  [
    { en: 'large scale', de: 'Datenverarbeitung in großem Umfang' },
    {
      en: 'depends on the number of submissions that name people',
      de: 'abhängig von der Zahl der Anliegen, in denen Personen genannt sind',
    },
    blank,
  ],
  [
    {
      en: 'matching or combining of data sets',
      de: 'Abgleichen oder Zusammenführen von Datensätzen',
    },
    {
      en: 'records of several sources are not combined; imports compare them only to recognise unpublished and removed records, and a source that repeats another',
      de: 'Datensätze mehrerer Quellen werden nicht zusammengeführt; Importe vergleichen sie nur, um zurückgezogene und gelöschte Datensätze und doppelte Quellen zu erkennen',
    },
    blank,
  ],
  [
    { en: 'vulnerable people', de: 'schutzbedürftige Personen' },
    {
      en: 'possible in texts, such as those of children',
      de: 'in Texten möglich, zum Beispiel von Kindern',
    },
    blank,
  ],
  [{ en: 'new technology', de: 'neue Technologien' }, no, blank],
  [
    {
      en: 'hindrance of a right or a service',
      de: 'Hinderung an der Ausübung eines Rechts oder der Nutzung einer Leistung',
    },
    no,
    blank,
  ],
);

const rights = table(
  [
    { en: 'right', de: 'Recht' },
    { en: 'how', de: 'Umsetzung' },
  ],
  [
    { en: 'information (Articles 13 and 14)', de: 'Information (Art. 13 und 14 DSGVO)' },
    {
      en: '[privacy statement]; `ROSTRA_PRIVACY_URL` links to it',
      de: '[Datenschutzerklärung]; `ROSTRA_PRIVACY_URL` verlinkt sie',
    },
  ],
  [
    { en: 'access (Article 15)', de: 'Auskunft (Art. 15 DSGVO)' },
    {
      en: '[search the published data](../administering.md#search-the-published-data) for a name or a number; pages of the account and of the key',
      de: '[veröffentlichte Daten](../administering.md#search-the-published-data) nach Namen oder Aktenzeichen durchsuchen; Seiten des Kontos und des Schlüssels',
    },
  ],
  [
    { en: 'rectification (Article 16)', de: 'Berichtigung (Art. 16 DSGVO)' },
    {
      en: '[correct the record](../administering.md#correct-one-record); later imports keep the correction',
      de: '[Datensatz berichtigen](../administering.md#correct-one-record); spätere Importe behalten die Berichtigung bei',
    },
  ],
  [
    { en: 'erasure (Article 17)', de: 'Löschung (Art. 17 DSGVO)' },
    {
      en: '[remove the record for good](../administering.md#remove-one-record-for-good), also in the source; [remove the account](../administering.md#remove-an-account)',
      de: '[Datensatz endgültig löschen](../administering.md#remove-one-record-for-good), auch in der Quelle; [Konto löschen](../administering.md#remove-an-account)',
    },
  ],
  [
    {
      en: 'restriction (Article 18), objection (Article 21)',
      de: 'Einschränkung (Art. 18 DSGVO), Widerspruch (Art. 21 DSGVO)',
    },
    {
      en: '[unpublish the record](../administering.md#unpublish-one-record)',
      de: '[Veröffentlichung des Datensatzes zurücknehmen](../administering.md#unpublish-one-record)',
    },
  ],
);

const afterErasure = list(
  { en: 'backups, until they are replaced', de: 'Sicherungen, bis sie ersetzt werden' },
  {
    en: 'entries of the audit log, without the content of the record',
    de: 'Einträge des Änderungsprotokolls, ohne Inhalt des Datensatzes',
  },
  {
    en: 'a number by which mirrors learn of the removal',
    de: 'eine Nummer, an der Kopien des Datenbestands die Löschung erkennen',
  },
  {
    en: 'keyed digests (HMAC-SHA-256) of number, day and text, so that imports do not publish the record again under another id. The text cannot be computed from them, but a person who has it and the key in the database can find out that it was removed. Taking the decision back deletes them',
    de: 'mit einem Schlüssel gebildete Prüfwerte (HMAC-SHA-256) aus Nummer, Tag und Text, damit Importe den Datensatz nicht unter einer anderen Kennung erneut veröffentlichen. Der Text lässt sich daraus nicht berechnen; wer ihn und den Schlüssel aus der Datenbank hat, kann aber feststellen, dass er gelöscht wurde. Wird die Entscheidung zurückgenommen, werden die Prüfwerte gelöscht',
  },
  {
    en: 'copies by others: holders of keys learn of removals through `/changes`, search engines only over time',
    de: 'Kopien bei anderen: Inhaberinnen und Inhaber von Schlüsseln erfahren von Löschungen über `/changes`, Suchmaschinen erst mit der Zeit',
  },
);

const page: Text[] = [
  { en: '# Data protection: texts to paste', de: '# Datenschutz: Textbausteine' },
  {
    en: 'Replace the parts in [square brackets]. The headings follow the General Data Protection Regulation (GDPR). The texts describe the software, and do not replace a legal review by the controller.',
    de: 'Ersetzen Sie die Angaben in [eckigen Klammern]. Die Gliederung folgt der Datenschutz-Grundverordnung (DSGVO). Die Texte beschreiben die Software; sie ersetzen keine rechtliche Prüfung durch den Verantwortlichen. Verlinkte Seiten sind teilweise nur auf Englisch verfügbar.',
  },
  { en: '## Roles', de: '## Rollen' },
  roles,
  {
    en: '## Record of processing (Article 30)',
    de: '## Verzeichnis von Verarbeitungstätigkeiten (Art. 30 DSGVO)',
  },
  record,
  { en: '## Flows of data', de: '## Datenflüsse' },
  flows,
  {
    en: 'A proxy in front of Rostra usually logs network addresses of all clients: [configuration, retention]. [Traces and metrics](../monitoring.md) contain no personal data.',
    de: 'Ein vorgeschalteter Proxy protokolliert in der Regel die IP-Adressen aller Abrufe: [Einstellung, Aufbewahrung]. [Überwachungsdaten](../monitoring.md) enthalten keine personenbezogenen Daten.',
  },
  '### Cookies',
  {
    en: 'All are necessary for the function that the person asked for. There is no tracking, and pages load nothing from other servers, except the background of maps if `ROSTRA_MAP_TILES` is set. Open data and the API set no cookies.',
    de: 'Alle Cookies sind für die aufgerufene Funktion unbedingt erforderlich (§ 25 Abs. 2 Nr. 2 TDDDG). Es findet kein Tracking statt, und die Seiten laden keine Inhalte von fremden Servern, außer den Hintergrund von Karten, falls `ROSTRA_MAP_TILES` gesetzt ist. API und offene Daten setzen keine Cookies.',
  },
  cookies,
  {
    en: 'The page `/docs` stores the language of examples in the local storage of the browser, if the reader chooses one.',
    de: 'Die Seite `/docs` speichert die Programmiersprache der Beispiele im lokalen Speicher des Browsers, sobald jemand sie auswählt.',
  },
  {
    en: '## Measures (Article 32)',
    de: '## Technische und organisatorische Maßnahmen (Art. 32 DSGVO)',
  },
  measures,
  {
    en: '[SECURITY.md](../../SECURITY.md) has the details and the duties of the operator.',
    de: 'Einzelheiten und Pflichten des Betreibers: [SECURITY.md](../../SECURITY.md).',
  },
  {
    en: '## Threshold of the impact assessment (Article 35)',
    de: '## Schwellwertanalyse zur Datenschutz-Folgenabschätzung (Art. 35 DSGVO)',
  },
  {
    en: 'These are the nine criteria of the European guidelines WP 248 rev. 01. If two or more apply, an assessment is required as a rule.',
    de: 'Geprüft werden die neun Kriterien der Leitlinien WP 248 Rev. 01. Treffen zwei oder mehr zu, ist in der Regel eine Datenschutz-Folgenabschätzung erforderlich.',
  },
  criteria,
  {
    en: 'Result: [An assessment is / is not required, because …] [Comparison with the list of the supervisory authority, Article 35(4)]',
    de: 'Ergebnis: [Eine Datenschutz-Folgenabschätzung ist / ist nicht erforderlich, weil …] [Abgleich mit der Liste der Aufsichtsbehörde nach Art. 35 Abs. 4 DSGVO]',
  },
  { en: '## Retention', de: '## Aufbewahrung' },
  {
    en: 'If no time limit is set, the software keeps data forever. Recommended settings for [`rostra prune`](../retention.md), which must run every night:',
    de: 'Ist keine Frist eingestellt, bewahrt die Software Daten unbefristet auf. Empfohlene Einstellungen für [`rostra prune`](../retention.md), das jede Nacht ausgeführt werden muss:',
  },
  `\`\`\`sh
ROSTRA_RETAIN_AUDIT_LOG=2y
ROSTRA_AUDIT_EXPORT_FOLDER=/var/lib/rostra/audit
ROSTRA_RETAIN_IMPORT_HISTORY=2y
ROSTRA_RETAIN_REVOKED_KEYS=2y
\`\`\``,
  {
    en: '[Time limits of published records, exported audit logs, backups and the journal]. [Personal data in the database](stored-data.md) has all other time limits.',
    de: '[Fristen für veröffentlichte Datensätze, exportierte Änderungsprotokolle, Sicherungen und das Journal]. Alle übrigen Fristen stehen in [Personenbezogene Daten in der Datenbank](gespeicherte-daten.md).',
  },
  { en: '## Rights of data subjects', de: '## Rechte der betroffenen Personen' },
  rights,
  { en: 'After an erasure, these remain:', de: 'Nach einer Löschung bleiben erhalten:' },
  afterErasure,
];

/** @returns the names of the pages in docs/, and their texts */
export const generatePrivacyPages = (note: string): [file: string, text: string][] => [
  ['privacy/english.md', formatPage(note, page, 'en')],
  ['privacy/deutsch.md', formatPage(note, page, 'de')],
];
