import type { failures as english } from '../en/failures.ts';
import type { Translation } from '../sentence-types.ts';
import { formatLocation } from './input-positions.ts';
import { listKindCounts, listPolicy } from './notes.ts';

const remainders = {
  nothing: 'Es wurde nichts importiert.',
  kept: 'Bereits importierte Datensätze bleiben erhalten. Importieren Sie noch einmal, um fortzufahren.',
  'kept-fix':
    'Bereits importierte Datensätze bleiben erhalten. Beheben Sie die Ursache und importieren Sie noch einmal.',
  'everything-else': 'Alles andere wurde importiert.',
};

const kinds = { submission: 'Anliegen', session: 'Sitzungen', survey: 'Umfragen' };

const uploadProblems: Readonly<Record<string, string>> = {
  too_large: 'Sie ist zu groß',
  empty: 'Sie ist leer',
  incomplete: 'Sie ist unvollständig',
  disk_full: 'Der Speicherplatz reicht nicht aus',
  unwritable: 'In den Ordner für Dateien kann nicht geschrieben werden',
};

const onlyLast =
  'Nur der letzte Import einer Quelle kann rückgängig gemacht werden, und zwar innerhalb von 30 Tagen.';

export const failures: Translation<typeof english> = {
  several: ({ reasons }, words) => reasons.map((reason) => words.reason(reason)).join(' '),
  english: ({ message }) => `Meldung (englisch): ${message}`,
  'store-unavailable':
    'Die Datenbank war nicht erreichbar oder konnte die Daten nicht speichern. Der Systembetrieb findet die Ursache im Protokoll des Servers.',
  unexpected:
    'Ein unerwarteter Fehler ist aufgetreten. Der Systembetrieb findet die Ursache im Protokoll des Servers.',
  'import-failed': ({ problem, remainder }, words) => `${words.reason(problem)} ${remainders[remainder]}`,
  'import-interrupted': ({ remainder }) => `Der Import wurde unterbrochen. ${remainders[remainder]}`,
  'lease-lost': ({ seconds }) =>
    `Der Import hat ${seconds} Sekunden lang kein Lebenszeichen gesendet, und ein anderer Import hat begonnen, oder die Kommune wurde entfernt.`,
  'strict-rejection': ({ location, id, problem }, words) =>
    `Nicht übernommen wurde ${formatLocation(location, id)}: ${words.reason(problem)}. Weil alle Datensätze übernommen werden müssen, wurde nichts importiert.`,
  'too-many-missing': ({ kind, missing, published, maxPercent, needed }, { number }) =>
    `In der Datei fehlen ${number(missing)} von ${number(published)} veröffentlichten Datensätzen dieser Quelle (${kinds[kind]}), mehr als ${maxPercent}\u00a0%. Es wurde kein Datensatz entfernt. Wenn die Datei vollständig ist, erhöhen Sie in den Einstellungen der Quelle den Höchstanteil auf mindestens ${needed}\u00a0% und importieren Sie die Datei noch einmal.`,
  'removes-many': ({ kind, count, published, maxPercent, because }, words) =>
    `Die Einstellungen dieses Imports lassen ${words.number(count)} von ${words.number(published)} veröffentlichten Datensätzen dieser Quelle aus (${kinds[kind]}), mehr als ${maxPercent}\u00a0%. ${words.reason(because)}. Sollen sie nicht mehr öffentlich sein, bestätigen Sie nach dem Testlauf, dass sie entfernt werden. Andernfalls berichtigen Sie die Einstellungen.`,
  'repeats-published': ({ count, total, source }, { number }) =>
    `${number(count)} von ${number(total)} Datensätzen hat bereits ${source === '' ? 'eine andere Quelle' : `die Quelle „${source}“`} veröffentlicht. Um diese Quelle fortzuführen, brechen Sie den Import ab und beginnen Sie ihn mit dieser Quelle. Andernfalls werden die Datensätze doppelt veröffentlicht.`,
  'all-rejected': ({ count, problem }, words) =>
    `Keiner der ${words.number(count)} Datensätze wurde übernommen, deshalb wurde nichts importiert.${problem === undefined ? '' : ` Grund beim ersten: ${words.reason(problem)}.`}`,
  'no-records': 'Anders als zuvor gibt es keine Datensätze. Es wurde nichts importiert.',
  'file-without-records': 'Die Datei enthält keine Datensätze.',
  'personal-data-undecided': ({ counts }) =>
    `Die Texte enthalten mögliche personenbezogene Daten, die diese Quelle weder ersetzt noch veröffentlichen darf: ${listKindCounts(counts)}. Legen Sie in den Einstellungen der Quelle fest, ob sie ersetzt oder veröffentlicht werden. Namen von Personen werden nicht erkannt.`,
  'redaction-looser': ({ before, lost }) =>
    `Frühere Importe dieser Quelle haben ersetzt: ${listPolicy(before)}. Dieser Import würde nicht mehr ersetzen: ${listPolicy(lost)}, und könnte personenbezogene Daten wieder veröffentlichen. Es wurde nichts gelesen. Lassen Sie mindestens dasselbe ersetzen.`,

  'upload-elsewhere':
    'Die hochgeladene Datei liegt nicht auf diesem Rechner. Laden Sie sie noch einmal hoch. Läuft Rostra auf mehreren Rechnern, muss der Systembetrieb ROSTRA_UPLOAD_FOLDER auf einen gemeinsamen Ordner setzen.',
  'download-not-stored': ({ url, problem }) =>
    `Die Datei unter ${url} wurde nicht gespeichert: ${uploadProblems[problem] ?? problem}.`,
  'file-misfits-source': ({ file, format, name, found }, words) =>
    `${file} hat nicht das Format ${words.format(format)} der Quelle „${name}“. ${found === undefined ? 'Kein Format passt' : `Die Datei sieht nach ${words.format(found.format)} aus: ${words.reason(found.reason)}`}.`,
  'files-of-different-formats': ({ file, groups }, words) =>
    `${file} enthält Dateien verschiedener Formate: ${groups.map(({ format, count, example }) => `${words.format(format)} (${count === 1 ? example : `${count} Dateien, zum Beispiel ${example}`})`).join(', ')}. Packen Sie die Dateien jedes Formats in ein eigenes Archiv.`,
  'step-timed-out': ({ seconds, mayHaveWritten }) =>
    `Der Schritt hat länger als ${seconds} Sekunden gedauert und wurde beendet.${mayHaveWritten ? ' Bereits importierte Datensätze bleiben erhalten.' : ''} Der Systembetrieb kann ROSTRA_IMPORT_TIMEOUT erhöhen.`,

  'step-crashed': ({ times }) =>
    `Der Prozess dieses Schritts ist ${times}-mal abgestürzt. Möglicherweise ist die Datei zu groß oder zu umfangreich für den Arbeitsspeicher dieses Servers. Der Systembetrieb findet die Ursache im Protokoll des Servers.`,
  'import-expired':
    'Der Import wurde nicht innerhalb von 24 Stunden fortgesetzt, deshalb wurde seine Datei gelöscht. Beginnen Sie ihn mit der Datei noch einmal.',
  'run-timed-out': ({ seconds }) =>
    `Der Import hat länger als ${seconds} Sekunden gedauert und wurde beendet. Der Systembetrieb kann ROSTRA_IMPORT_TIMEOUT erhöhen.`,
  'process-ended':
    'Der Import ist fehlgeschlagen, weil sein Prozess abgestürzt ist. Der Systembetrieb findet die Ursache im Protokoll des Servers.',
  'organization-removed': 'Die Kommune wurde entfernt.',
  'redaction-changed-meanwhile':
    'Ein anderer Import dieser Quelle hat inzwischen geändert, was ersetzt wird.',
  'undo-nothing': `Es gibt nichts, was rückgängig gemacht werden kann. ${onlyLast}`,
  'undo-done': `Dieser Import wurde bereits rückgängig gemacht. ${onlyLast}`,
  'undo-discarded':
    'Dieser Import kann nicht mehr rückgängig gemacht werden: Ein Datensatz, den er geändert hat, wurde entfernt, und mit ihm sein früherer Stand.',
  'undo-surveys':
    'Der Import von Umfragen kann nicht rückgängig gemacht werden: Spätere Ergebnisse werden mit den veröffentlichten verglichen, damit kleine Gruppen anonym bleiben. Auf der Seite der Umfrage können Sie die Veröffentlichung zurücknehmen.',
  'undo-running':
    'Ein Import dieser Quelle läuft gerade. Versuchen Sie es noch einmal, sobald er beendet ist.',
  'undo-changed': ({ kind, id }) =>
    `${kind === 'session' ? 'Die Sitzung' : 'Das Anliegen'} ${id} wurde nach diesem Import geändert oder entfernt. Das würde überschrieben. Es wurde nichts rückgängig gemacht.`,
};
