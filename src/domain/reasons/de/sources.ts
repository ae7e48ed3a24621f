import type { sources as english } from '../en/sources.ts';
import type { Translation } from '../sentence-types.ts';

export const sources: Translation<typeof english> = {
  'source-name-invalid':
    'Der Name einer Quelle muss 1 bis 100 Zeichen haben, ohne Leerzeichen am Rand und ohne Zeilenumbruch.',
  'source-schedule-without-url': 'Nur eine Quelle mit Internetadresse kann einen Zeitplan haben.',
  'source-schedule-invalid': 'Der Zeitplan muss zwischen einer Minute und 31 Tagen liegen.',
  'source-time-zone-invalid': ({ timeZone }) => `„${timeZone}“ ist keine Zeitzone wie Europe/Berlin.`,
  'source-cannot-delete': ({ format }, words) =>
    `Importe des Formats ${words.format(format)} können hier keine fehlenden Datensätze entfernen.`,
  'url-not-https': ({ url }) => `„${url}“ ist keine Internetadresse mit https.`,
  'url-with-password':
    'Die Internetadresse darf keinen Benutzernamen und kein Passwort enthalten, weil sie gespeichert und angezeigt wird.',
  'url-too-long': ({ max }) => `Die Internetadresse hat mehr als ${max} Zeichen.`,
  'format-unknown': ({ format, near }) =>
    `Das Format „${format}“ ist unbekannt.${near === undefined ? '' : ` Ist „${near}“ gemeint?`}`,
  'option-unknown': ({ format, option }, words) =>
    `Das Format ${words.format(format)} hat keine Einstellung ${words.option(option)}.`,
  'option-invalid': ({ option, problem }, words) =>
    `Die Einstellung ${words.option(option)} der Quelle ist ungültig: ${words.reason(problem)}`,
  'option-not-column': 'Geben Sie den Namen einer Spalte an: Buchstaben, Ziffern und Unterstriche.',
  'changed-column-unused': ({ system }) =>
    `${system ?? 'Eine Datei'} lässt sich nicht nach geänderten Datensätzen abfragen. Die Spalte mit dem Zeitpunkt der letzten Änderung hat deshalb keine Wirkung.`,
  'flag-invalid': ({ flag, problem }) => `Die Angabe ${flag} ist ungültig (englisch): must ${problem}.`,
  'max-deleted-alone': 'Eine Obergrenze für entfernte Datensätze gilt nur, wenn fehlende entfernt werden.',
  'source-format-differs': ({ name, stored, format }, words) =>
    `Die Quelle „${name}“ hat das Format ${words.format(stored)}, nicht ${words.format(format)}. Wählen Sie einen anderen Namen für diese Quelle.`,
  'source-has-no-url': ({ name }) =>
    `Die Quelle ${name} hat keine Internetadresse. Geben Sie die Dateien an.`,
  'endpoint-without-dry-run': 'Für einen OParl-Endpunkt ist kein Testlauf möglich.',
  'settings-missing': 'Wählen Sie zuerst ein Format und einen Namen der Quelle.',
  'organization-time-zone-unknown': ({ name, timeZone }) =>
    `${name} hat die unbekannte Zeitzone ${timeZone}. Legen Sie in den Einstellungen der Kommune eine andere fest.`,
  'country-unsupported': ({ country }) =>
    `Das Land „${country}“ für Telefonnummern wird nicht unterstützt. Möglich sind zum Beispiel DE, AT und CH.`,
  'pattern-setting-invalid': ({ problem }, words) =>
    `Die Muster der Installation (ROSTRA_REDACT_PATTERNS) sind ungültig: ${words.reason(problem)}`,
  'patterns-no-map': 'Die Datei mit Mustern muss Namen Muster zuordnen.',
  'patterns-unreadable': 'Die Datei mit Mustern ist weder JSON noch YAML.',
  'pattern-name-invalid': ({ name, reserved }) =>
    `Der Name ${name} eines Musters ist nicht zulässig. Ein Name besteht aus höchstens 40 Buchstaben, Leerzeichen und Bindestrichen; ${reserved} sind vergeben.`,
  'pattern-no-text': ({ name }) => `Das Muster „${name}“ ist kein Text.`,
  'pattern-no-regular-expression': ({ name }) => `Das Muster „${name}“ ist kein gültiger regulärer Ausdruck.`,
  'pattern-matches-empty-text': ({ name }) => `Das Muster „${name}“ passt auf leeren Text.`,

  'address-missing': ({ url, status }) => `${url} gibt es nicht (${status}).`,
  'address-denied': ({ url, status }) =>
    `Der Zugriff auf ${url} wird verweigert (${status}). Die Daten müssen ohne Anmeldung zugänglich sein.`,
  'address-fails': ({ url, status }) =>
    `${url} antwortet mit dem Fehler ${status}. Versuchen Sie es später noch einmal.`,
  'address-answers-with': ({ url, status }) => `${url} antwortet mit dem Fehler ${status}`,
  'address-refuses': ({ url, status, text }) => `${url} lehnt die Anfrage ab (${status}): „${text}“`,
  'address-status-unexpected': ({ url, status }) => `${url} antwortet mit dem unerwarteten Status ${status}.`,
  'address-not-requested': ({ url, problem }, words) =>
    `${url} wird nicht abgerufen: ${words.reason(problem)}`,
  'redirect-not-requested': ({ from, url, problem }, words) =>
    `${from} leitet auf ${url} weiter. Diese Adresse wird nicht abgerufen: ${words.reason(problem)}`,
  'redirect-invalid': ({ url, text }) =>
    `${url} leitet auf „${text}“ weiter, was keine gültige Internetadresse ist.`,
  'redirects-too-often': ({ from, url, max }) =>
    `${from} leitet mehr als ${max}-mal weiter, zuletzt auf ${url}.`,
  'url-in-private-network':
    'Der Rechnername lässt sich nicht auflösen, oder der Rechner befindet sich in einem privaten Netz. Der Systembetrieb kann eine Adresse mit ROSTRA_DOWNLOAD_NETWORKS erlauben.',
  'url-unencrypted':
    'Sie verwendet http ohne Verschlüsselung, und der Rechner ist nicht in ROSTRA_DOWNLOAD_NETWORKS aufgeführt. Verwenden Sie https.',
  'url-not-http': 'Sie verwendet weder http noch https.',
  'url-not-encrypted': 'Sie verwendet kein https.',
  'url-less-encrypted': 'Sie verwendet http, der Endpunkt aber https.',
  'url-has-password': 'Sie enthält einen Benutzernamen oder ein Passwort.',
  'url-on-other-host': ({ host }) =>
    `Sie gehört zu einem anderen Rechner als der Endpunkt. Der Systembetrieb kann ${host} erlauben, falls das beabsichtigt ist.`,
  'address-slow': ({ url, seconds }) =>
    `${url} hat nicht innerhalb von ${seconds} Sekunden vollständig geantwortet.`,
  'address-silent': ({ url, seconds }) => `${url} hat nicht innerhalb von ${seconds} Sekunden geantwortet`,
  'address-too-large': ({ url, mebibytes }) =>
    `${url} liefert mehr als ${mebibytes} MB. Der Systembetrieb kann die Grenze mit ROSTRA_MAX_DOWNLOAD erhöhen.`,
  'address-without-content': ({ url }) => `${url} liefert keinen Inhalt.`,
  'address-is-web-page': ({ url }) =>
    `${url} liefert eine Webseite (HTML) anstelle von Daten. Öffnen Sie sie in einem Browser: Möglicherweise ist eine Anmeldung nötig, oder die Datei hat jetzt eine andere Adresse.`,
  'address-not-stored': ({ url }) =>
    `Der Ordner für temporäre Dateien ist voll. ${url} kann nicht gespeichert werden.`,
  'connection-closed': ({ url }) => `${url} hat die Verbindung vor dem Ende der Antwort geschlossen.`,
  'connection-failed': ({ url, detail }) => `Die Verbindung zu ${url} ist fehlgeschlagen (${detail})`,
  'certificate-untrusted': ({ host, detail }) =>
    `Dem Zertifikat von ${host} wird nicht vertraut (${detail}). Für eine eigene Zertifizierungsstelle muss der Systembetrieb NODE_EXTRA_CA_CERTS auf die Datei ihres Zertifikats setzen.`,
  'host-unknown': ({ host }) => `Den Rechnernamen ${host} gibt es nicht.`,
  'name-server-silent': ({ host }) => `Kein Nameserver beantwortet die Frage nach dem Rechnernamen ${host}`,
  'request-failed': ({ url, detail }) => `Die Anfrage an ${url} ist fehlgeschlagen (${detail}).`,
  'pause-requested': ({ problem, seconds }, words) =>
    `${words.reason(problem)} und verlangt eine Pause von ${seconds} Sekunden. Versuchen Sie es danach noch einmal.`,
  'attempts-failed': ({ problem, attempts }, words) =>
    `${words.reason(problem)}, auch beim ${attempts}. Versuch. Versuchen Sie es später noch einmal.`,

  'endpoint-too-many-requests': ({ max }, { number }) =>
    `Der Endpunkt braucht mehr als ${number(max)} Anfragen. Der Systembetrieb kann mehr erlauben.`,
  'endpoint-answer-too-large': ({ url }) => `${url} liefert mehr als 64 MB.`,
  'endpoint-answer-malformed': ({ url, problem }, words) =>
    `${url} liefert ungeeignetes JSON: ${words.reason(problem)}.`,
  'endpoint-answer-not-json': ({ url, type, bytes }) =>
    `${url} liefert kein vollständiges JSON in UTF-8 (Inhaltstyp „${type}“, ${bytes} Bytes). Ist es die Adresse einer Schnittstelle (API)?`,
  'endpoint-without-bodies': ({ url }) => `Das System unter ${url} hat keine Liste von Körperschaften.`,
  'endpoint-unknown-type': ({ url, type }) =>
    `${url} ist weder ein System noch eine Körperschaft oder Liste von OParl: ${type === undefined ? 'Der Typ fehlt' : `Der Typ ist „${type}“`}.`,
  'endpoint-body-missing': ({ url, wanted, known }) =>
    wanted === undefined
      ? `${url} enthält keine Körperschaft.`
      : `${url} enthält keine Körperschaft „${wanted}“. Vorhanden: ${known || 'keine'}.`,
  'endpoint-body-ambiguous': ({ url, count, known }) =>
    `${url} enthält ${count} Körperschaften. Bitten Sie den Systembetrieb, eine davon auszuwählen: ${known}.`,
  'endpoint-body-empty': ({ text }) =>
    `Die Körperschaft „${text}“ hat weder eine Liste von Drucksachen noch eine von Sitzungen.`,
  'endpoint-list-circular': ({ list, url }) =>
    `Die Liste ${list} dreht sich im Kreis: Sie führt zweimal zu ${url}.`,
  'endpoint-list-expected': ({ url }) => `${url} ist keine OParl-Liste: Die Angabe „data“ fehlt.`,
  'endpoint-next-invalid': ({ url }) => `Die Adresse der nächsten Seite in ${url} ist ungültig.`,
  'endpoint-shrunk': ({ papers, meetings, papersBefore, meetingsBefore }, { number }) =>
    `Der Endpunkt nennt ${number(papers)} Drucksachen und ${number(meetings)} Sitzungen, vorher waren es ${number(papersBefore)} und ${number(meetingsBefore)}. Das ist wahrscheinlich ein Fehler des Endpunkts.`,

  'portal-key-without-portal':
    'Einen Schlüssel kann nur eine Quelle mit der Adresse eines Datenportals haben, das Schlüssel kennt. Wählen Sie das System des Portals.',
  'portal-key-without-setting':
    'Schlüssel von Portalen werden mit ROSTRA_ENCRYPTION_KEY verschlüsselt. Diese Einstellung fehlt. Der Systembetrieb kann sie festlegen.',
  'portal-key-invalid':
    'Der Schlüssel muss aus 8 bis 4.096 Buchstaben ohne Umlaute, Ziffern und Sonderzeichen bestehen und darf keine Leerzeichen enthalten.',
  'portal-key-unreadable':
    'Der Schlüssel des Portals lässt sich nicht entschlüsseln: Er wurde mit einem anderen ROSTRA_ENCRYPTION_KEY gespeichert. Der Systembetrieb kann den früheren wieder einsetzen. Andernfalls speichern Sie den Schlüssel des Portals erneut.',
  'portal-key-of-other-portal': ({ stored, origin }) =>
    `Der gespeicherte Schlüssel gehört zu ${stored}, die Adresse der Quelle aber zu ${origin}. Speichern Sie den Schlüssel dieses Portals oder entfernen Sie den gespeicherten.`,
  'portal-key-missing': ({ portal, status }) =>
    `${portal} verweigert den Zugriff ohne Schlüssel (${status}). Beantragen Sie dort einen Schlüssel und geben Sie ihn ein.`,
  'portal-key-refused': ({ portal, status }) =>
    `${portal} lehnt den Schlüssel ab (${status}): Er ist möglicherweise abgelaufen oder gilt nicht für diese Daten. Beantragen Sie dort einen neuen Schlüssel und geben Sie ihn ein.`,
  'live-address-unknown': ({ system, url }) =>
    `${url} ist keine Adresse von ${system}, die Rostra kennt. Kopieren Sie die Adresse der Seite mit den Daten oder die Adresse der Schnittstelle.`,
  'system-of-other-format': ({ system, format }, words) =>
    `Daten von ${system} haben das Format ${words.format(format)}. Wählen Sie es für diese Quelle.`,
  'live-time-invalid': ({ name, text }) =>
    `Die Adresse enthält unter ${name} keinen gültigen Zeitpunkt: „${text}“. Schreiben Sie ihn wie 2026-01-31T00:00:00Z.`,
  'live-windows-ignored': ({ url, time, from, to }) =>
    `${url} sollte Datensätze vom ${from} bis zum ${to} liefern, lieferte aber einen vom ${time}. Von einem Server, der nicht nach der Zeit auswählt, kann Rostra nicht alle Datensätze abrufen.`,
  'source-terms-forbid': ({ system, license }) =>
    `${system} veröffentlicht seine Daten unter ${license}. Andere dürfen sie deshalb nicht unter einer offenen Lizenz veröffentlichen. Bitten Sie ${system} um eine Genehmigung und bestätigen Sie diese dann unten.`,
  'live-collection-empty': ({ url }) =>
    `${url} enthält keine Tabelle, die über die Schnittstelle abrufbar ist. Kopieren Sie von der Seite die Adresse einer Datei.`,
  'address-misfits-system': ({ url }) =>
    `Die Antwort von ${url} passt nicht zum gewählten System. Wählen Sie ein anderes System aus oder lassen Sie es anhand der Adresse ermitteln.`,
  'live-source-refuses': ({ url, text }) => `${url} antwortet mit einem Fehler: „${text}“`,
  'live-source-without-records': ({ url, path }) =>
    `Die Antwort von ${url} enthält keine Liste von Datensätzen${path === '' ? '' : ` unter „${path}“`}. Gehört die Adresse zu einem anderen System?`,
  'live-source-without-lists': ({ url }) => `${url} enthält keine Liste, die Rostra lesen kann.`,
  'live-source-ambiguous': ({ url, count, known }) =>
    `${url} enthält ${count} Listen. Geben Sie für diese Quelle die Adresse einer davon an: ${known}.`,
  'live-records-empty': ({ url }) => `${url} antwortet, enthält aber keine Datensätze.`,
  'live-records-incomplete': ({ url }) =>
    `${url} lieferte nicht alle Datensätze oder änderte sie während des Abrufs. Versuchen Sie es später noch einmal.`,
};
