import type { MailMessages } from './en.ts';

export const de: MailMessages = {
  locale: 'de-DE',
  facts: {
    account: 'Konto',
    tasks: 'Aufgaben',
    municipality: 'Kommune',
    key: 'Schlüssel',
    prefix: 'Schlüsselanfang',
    expires: 'Gültig bis',
    lastUsed: 'Zuletzt verwendet',
    never: 'noch nie',
    contact: 'Kontakt',
    purpose: 'Zweck',
    limit: 'Höchstzahl der Anfragen',
    rejected: 'Abgelehnte Anfragen',
    state: 'Status',
    sources: 'Quelle',
    task: 'Aufgabe',
    error: 'Fehlermeldung',
  },
  roles: {
    reader: 'Lesen',
    administrator: 'Verwaltung (alle Aufgaben)',
    operator: 'Systembetrieb (alle Kommunen)',
  },
  permissions: {
    import: 'Importieren',
    publish: 'Veröffentlichen',
    keys: 'Schlüssel',
    accounts: 'Konten und Einstellungen',
  },
  invitation: {
    subject: (organization) =>
      organization === null ? 'Ihr Zugang zu Rostra' : `Ihr Zugang zu Rostra – ${organization}`,
    intro: (invitedBy) =>
      `${invitedBy} hat einen Einmal-Link für Sie erstellt. Damit richten Sie den Zugang zu Ihrem Konto im Verwaltungsbereich von Rostra ein.`,
    action: 'Zugang einrichten',
    validity:
      'Der Link gilt 7 Tage lang und kann nur einmal verwendet werden. Leiten Sie diese Nachricht nicht weiter: Wer den Link kennt, kann Ihr Konto übernehmen.',
    unexpected:
      'Falls Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren. Solange der Link nicht verwendet wird, ändert sich an Ihrem Konto nichts.',
    reason: (url) =>
      `Rostra hat diese Nachricht versandt, weil für diese Adresse ein Konto unter ${url} besteht.`,
  },
  passwordReset: {
    subject: 'Neues Passwort für Rostra',
    intro: 'Auf der Anmeldeseite von Rostra wurde ein neues Passwort für Ihr Konto angefordert.',
    action: 'Neues Passwort festlegen',
    validity:
      'Der Link gilt eine Stunde lang und kann nur einmal verwendet werden. Wenn Sie mehrere Nachrichten erhalten, gilt nur der Link in der neuesten. Ihr zweiter Faktor bleibt unverändert. Leiten Sie diese Nachricht nicht weiter: Wer den Link kennt, kann Ihr Passwort ändern.',
    unexpected:
      'Falls Sie kein neues Passwort angefordert haben, können Sie diese Nachricht ignorieren. Ihr Passwort bleibt dann unverändert.',
    reason: (url) =>
      `Rostra hat diese Nachricht versandt, weil auf der Anmeldeseite unter ${url} Ihre E-Mail-Adresse eingegeben wurde.`,
  },
  singleSignOn: {
    explanation:
      'Ihr Konto hat in Rostra kein Passwort: Sie melden sich über die zentrale Anmeldung an. Wenn Sie Ihr Passwort der zentralen Anmeldung vergessen haben, wenden Sie sich bitte an die Stelle, die sie in Ihrer Organisation betreut.',
    action: 'Zur Anmeldeseite',
  },
  keyExpiry: {
    subject: (key, inDays, organization) => `API-Schlüssel „${key}“ läuft ${inDays} ab – ${organization}`,
    intro: (key, time) =>
      `Die Gültigkeit des API-Schlüssels „${key}“ endet am ${time}. Danach werden alle Anfragen mit diesem Schlüssel abgelehnt.`,
    advice:
      'Wenn der Schlüssel weiterhin benötigt wird, verlängern Sie seine Gültigkeit oder erneuern Sie ihn rechtzeitig. Andernfalls brauchen Sie nichts zu tun.',
    action: 'Schlüssel ansehen',
  },
  keyLimit: {
    subject: (key, organization) =>
      `API-Schlüssel „${key}“ erreicht häufig die Höchstzahl der Anfragen – ${organization}`,
    intro: (key, days) =>
      `Der API-Schlüssel „${key}“ hat an ${days} der letzten 7 Tage die Höchstzahl der Anfragen erreicht. Weitere Anfragen wurden abgelehnt (HTTP-Status 429). Dem Programm, das den Schlüssel verwendet, können deshalb Daten fehlen.`,
    perWindow: (requests, window) => `${requests} Anfragen je ${window}`,
    inWeek: (requests) => `${requests} in den letzten 7 Tagen`,
    advice:
      'Bitten Sie die Stelle, die das Programm betreibt, weniger Anfragen zu senden und zum Beispiel nur Änderungen abzurufen. Wenn das Programm so viele Anfragen benötigt, erhöhen Sie die Höchstzahl der Anfragen des Schlüssels.',
    action: 'Schlüssel ansehen',
  },
  importFailure: {
    subject: (organization) => `Importe prüfen – ${organization}`,
    subjectOfAll: 'Importe von Kommunen prüfen',
    intro: (organization) =>
      `Importe der Kommune „${organization}“ sind fehlgeschlagen oder überfällig. Die veröffentlichten Daten sind möglicherweise nicht aktuell.`,
    introOfAll:
      'Importe sind fehlgeschlagen oder überfällig. Die veröffentlichten Daten dieser Kommunen sind möglicherweise nicht aktuell.',
    more: 'Weitere Importe sind betroffen. Auf der Seite sind alle aufgeführt.',
    states: {
      failed: 'Import fehlgeschlagen',
      stale: 'Import stehen geblieben',
      source_failed: 'Import der Quelle fehlgeschlagen',
      source_stale: 'Quelle überfällig',
    },
    times: {
      failed: 'Fehlgeschlagen am',
      stale: 'Zuletzt aktiv',
      source_failed: 'Fehlgeschlagen seit',
      source_stale: 'Überfällig seit',
    },
    advice:
      'Wenn Sie die Ursache nicht selbst beheben können, leiten Sie diese Nachricht bitte an den Systembetrieb weiter.',
    action: 'Importe ansehen',
  },
  publicationDigest: {
    subject: (organization) => `Veröffentlichungen anderer – ${organization}`,
    intro: (organization, day) =>
      `Andere Personen haben am ${day} geändert, was ${organization} veröffentlicht:`,
    line: (subject, person, time) => `${subject} – ${person}, ${time}`,
    commandLine: 'Befehlszeile',
    more: 'Die Seite zeigt weitere Einträge.',
    action: 'Änderungsprotokoll ansehen',
  },
  maintenanceFailure: {
    subject: 'Wartung von Rostra prüfen',
    intro: 'Regelmäßige Aufgaben von Rostra sind fehlgeschlagen oder überfällig.',
    tasks: {
      backup: 'Datensicherung',
      restore: 'Wiederherstellung',
      drill: 'Test der Wiederherstellung',
      prune: 'Löschen alter Einträge',
    },
    states: { failed: 'fehlgeschlagen', overdue: 'überfällig' },
    times: { failed: 'Fehlgeschlagen am', overdue: 'Überfällig seit' },
    advice:
      'Führen Sie auf dem Server den Befehl „rostra doctor“ aus. Er zeigt alle Probleme und wie Sie sie beheben.',
  },
  approval: {
    subjectAsked: (kind, organization) => `Bitte um Freigabe: ${kind} – ${organization}`,
    introAsked: (person) =>
      `${person} bittet Sie um die folgende Freigabe. Solange niemand sie erteilt, wird davon nichts veröffentlicht.`,
    subjectDecided: (kind, state, organization) => `${kind}: ${state} – ${organization}`,
    introDecided: {
      approved: 'Ihre Bitte um Freigabe war erfolgreich: Die Freigabe wurde erteilt.',
      returned: 'Ihre Bitte um Freigabe wurde zurückgegeben. Es wurde nichts veröffentlicht.',
      withdrawn:
        'Eine andere Person hat Ihre Bitte um Freigabe zurückgezogen. Es wurde nichts veröffentlicht.',
      expired:
        'Ihre Bitte um Freigabe ist verfallen, weil innerhalb von 30 Tagen niemand die Freigabe erteilt hat. Es wurde nichts veröffentlicht.',
    },
    states: {
      approved: 'freigegeben',
      returned: 'zurückgegeben',
      withdrawn: 'zurückgezogen',
      expired: 'verfallen',
    },
    what: 'Bitte um Freigabe',
    askedAt: 'Gebeten am',
    decidedBy: 'Entschieden von',
    comment: 'Grund der Rückgabe',
    action: 'Bitte um Freigabe ansehen',
  },
  reason: (email, url) =>
    `Sie erhalten diese Nachricht, weil Ihr Konto ${email} unter ${url} registriert ist.`,
  settings: 'Auswählen, welche E-Mails Sie erhalten',
  unsubscribe: {
    key_expiry: 'E-Mails über ablaufende Schlüssel abbestellen',
    key_limit: 'E-Mails über die erreichte Höchstzahl der Anfragen abbestellen',
    import_failure: 'E-Mails über Importe abbestellen',
    publication_digest: 'E-Mails über Veröffentlichungen anderer abbestellen',
    maintenance_failure: 'E-Mails über die Wartung abbestellen',
    approval_asked: 'E-Mails über Bitten um Freigabe abbestellen',
    approval_decided: 'E-Mails über meine Bitten um Freigabe abbestellen',
  },
};
