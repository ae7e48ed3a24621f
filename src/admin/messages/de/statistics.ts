import type { Messages } from '../en.ts';

export const statistics: Pick<Messages, 'statistics'> = {
  statistics: {
    title: 'Statistik',
    intro: 'Zahlen zu den Daten, die Ihre Kommune über die API veröffentlicht.',
    print: 'Drucken',
    asOf: 'Stand',
    drafts: (surveys, drafts) => `${surveys} veröffentlicht, ${drafts} im Entwurf`,
    noSubmissions: 'Es sind noch keine Anliegen veröffentlicht.',
    noSessions: 'Es sind noch keine Sitzungen veröffentlicht.',
    noSurveys: 'Es sind noch keine Umfragen veröffentlicht. Entwürfe werden nicht aufgeführt.',
    counting: 'Die Zahlen werden gerade ermittelt, weil die Daten neu sind oder sich geändert haben.',
    reload: 'Seite in einigen Sekunden neu laden',
    byStatus: 'Anliegen nach Zeit und Status',
    latestMonths: 'Letzte 12 Monate',
    allYears: 'Alle Jahre',
    range: (first, last, count) => `${first} bis ${last}: ${count} Anliegen.`,
    ongoing: (day) => `Der Zeitraum ist noch nicht abgeschlossen: Stand ${day}.`,
    noneInPeriod: 'In diesem Zeitraum gibt es keine Anliegen.',
    quarter: (quarter, year) => `${quarter}. Quartal ${year}`,
    units: { month: 'Monat', quarter: 'Quartal', year: 'Jahr' },
    titles: {
      month: 'Anliegen nach Monat und Status',
      quarter: 'Anliegen nach Quartal und Status',
      year: 'Anliegen nach Jahr und Status',
    },
    keyboardHint:
      'Um die Werte einer Säule zu sehen, zeigen Sie auf die Säule oder wählen Sie das Diagramm aus und drücken Sie die Pfeiltasten.',
    otherStatuses: 'Sonstige',
    topics: 'Anliegen nach Thema',
    otherTopics: 'Sonstige Themen',
    withoutTopic: 'Ohne Thema',
    shareOf: (whole) => `Anteil (von ${whole})`,
    rounded: 'Die Anteile sind gerundet und ergeben zusammen nicht immer genau 100\u00a0%.',
    comparison: 'Im Verhältnis zum höchsten Wert',
    mostSupported: 'Am häufigsten unterstützte Anliegen',
    noSupport: 'Bisher wurde kein Anliegen unterstützt.',
    withoutSupport:
      'Die folgenden Quellen enthalten keine Angaben zu Unterstützungen. Für ihre Anliegen wird deshalb der Wert 0 veröffentlicht. Er sagt nichts über die tatsächliche Unterstützung aus:',
    sessionsByCommittee: 'Sitzungen nach Gremium',
    otherCommittees: 'Sonstige Gremien',
  },
};
