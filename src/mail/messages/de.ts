import type { MailMessages } from './en.ts';

export const de: MailMessages = {
  locale: 'de-DE',
  facts: {
    account: 'Konto',
    role: 'Rolle',
    municipality: 'Kommune',
    key: 'Schlüssel',
    prefix: 'Schlüsselanfang',
    expires: 'Gültig bis',
    lastUsed: 'Zuletzt verwendet',
    never: 'noch nie',
    contact: 'Kontakt',
    purpose: 'Verwendungszweck',
    limit: 'Anfragelimit',
    rejected: 'Abgelehnte Anfragen',
    state: 'Status',
    sources: 'Quelle',
    error: 'Fehlermeldung',
  },
  roles: {
    reader: 'Lesezugriff',
    administrator: 'Verwaltung',
    operator: 'Systembetrieb (alle Kommunen)',
  },
  invitation: {
    subject: (organization) =>
      organization === null ? 'Ihr Zugang zu Rostra' : `Ihr Zugang zu Rostra für ${organization}`,
    intro: (invitedBy) =>
      `${invitedBy} hat einen Einmal-Link für Sie erstellt. Damit richten Sie den Zugang zu Ihrem Konto im Verwaltungsbereich von Rostra ein.`,
    action: 'Zugang einrichten',
    validity:
      'Der Link kann einmal und innerhalb von sieben Tagen verwendet werden. Leiten Sie diese Nachricht nicht weiter: Wer den Link kennt, kann Ihr Konto übernehmen.',
    unexpected:
      'Falls Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren. Solange der Link nicht verwendet wird, ändert sich an Ihrem Konto nichts.',
    reason: (url) =>
      `Rostra hat diese Nachricht versandt, weil für diese Adresse ein Konto unter ${url} besteht.`,
  },
  keyExpiry: {
    subject: (key, inDays, organization) => `API-Schlüssel „${key}“ läuft ${inDays} ab – ${organization}`,
    intro: (key, time) =>
      `Die Gültigkeit des API-Schlüssels „${key}“ endet am ${time}. Danach werden alle Anfragen mit diesem Schlüssel abgelehnt.`,
    advice:
      'Wird der Schlüssel weiterhin benötigt, verlängern Sie bitte seine Gültigkeit oder erneuern Sie ihn rechtzeitig. Andernfalls brauchen Sie nichts zu tun.',
    action: 'Schlüssel öffnen',
  },
  keyLimit: {
    subject: (key, organization) =>
      `API-Schlüssel „${key}“ erreicht häufig sein Anfragelimit – ${organization}`,
    intro: (key, days) =>
      `Der API-Schlüssel „${key}“ hat an ${days} der letzten sieben Tage sein Anfragelimit erreicht. Weitere Anfragen wurden abgelehnt (HTTP-Status 429). Dem Programm, das den Schlüssel verwendet, können deshalb Daten fehlen.`,
    perWindow: (requests, window) => `${requests} Anfragen je ${window}`,
    inWeek: (requests) => `${requests} in sieben Tagen`,
    advice:
      'Bitten Sie die Stelle, die das Programm betreibt, weniger Anfragen zu senden, indem sie zum Beispiel nur Änderungen abruft. Ist die Nutzung berechtigt, erhöhen Sie das Anfragelimit des Schlüssels.',
    action: 'Schlüssel öffnen',
  },
  importFailure: {
    subject: (organization) => `Importe müssen geprüft werden – ${organization}`,
    subjectOfAll: 'Importe von Kommunen müssen geprüft werden',
    intro: (organization) =>
      `Importe oder Synchronisierungen für ${organization} sind fehlgeschlagen oder überfällig. Die veröffentlichten Daten sind möglicherweise nicht aktuell.`,
    introOfAll:
      'Importe oder Synchronisierungen sind fehlgeschlagen oder überfällig. Die veröffentlichten Daten dieser Kommunen sind möglicherweise nicht aktuell.',
    more: 'Weitere Importe sind betroffen. Die Seite zeigt alle an.',
    states: {
      failed: 'Import fehlgeschlagen',
      stale: 'Import abgebrochen',
      sync_failed: 'Synchronisierung schlägt fehl',
      sync_overdue: 'Synchronisierung überfällig',
    },
    times: {
      failed: 'Fehlgeschlagen am',
      stale: 'Zuletzt aktiv',
      sync_failed: 'Erster Fehlschlag',
      sync_overdue: 'Geplant für',
    },
    advice:
      'Importe führt in der Regel der Systembetrieb aus. Wenn Sie die Ursache nicht selbst beheben können, leiten Sie diese Nachricht bitte an den Systembetrieb weiter.',
    action: 'Importe öffnen',
  },
  reason: (email, url) =>
    `Sie erhalten diese Nachricht, weil Ihr Konto ${email} unter ${url} registriert ist.`,
  settings: 'Auswählen, welche E-Mails Sie erhalten',
  unsubscribe: {
    key_expiry: 'E-Mails über ablaufende Schlüssel abbestellen',
    key_limit: 'E-Mails über erreichte Anfragelimits abbestellen',
    import_failure: 'E-Mails über Importe abbestellen',
  },
};
