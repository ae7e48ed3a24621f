import { publications } from '../../../domain/reasons/de/publications.ts';
import type { Messages } from '../en.ts';

export const approvals: Messages['approvals'] = {
  title: 'Freigaben',
  intro:
    'Eine zweite Person prüft, was veröffentlicht werden soll. Eine Bitte um Freigabe verfällt nach 30 Tagen. Nach ihrem Ende steht sie noch 90 Tage in dieser Liste.',
  waiting: 'Wartet auf Freigabe',
  noneWaiting: 'Zurzeit wartet nichts auf eine Freigabe.',
  ended: 'Zuletzt entschieden',
  kinds: publications.approvalKinds,
  states: {
    open: 'wartet auf Freigabe',
    approved: 'freigegeben',
    returned: 'zurückgegeben',
    withdrawn: 'zurückgezogen',
    expired: 'verfallen',
  },
  what: 'Bitte um Freigabe',
  askedBy: 'Gebeten von',
  askedAt: 'Gebeten am',
  expires: 'Verfällt am',
  decidedBy: 'Entschieden von',
  decidedAt: 'Entschieden am',
  comment: 'Grund der Rückgabe',
  importReturned: (person, time) => `${person} hat den Import am ${time} zurückgegeben`,
  subject: 'Betrifft',
  onRequestOf: 'Auf Bitte von',
  accountRemoved: 'Das Konto wurde entfernt.',
  asked: 'Sie haben um Freigabe gebeten. Noch ist nichts veröffentlicht.',
  askedBefore: 'Hierzu wartet bereits eine Bitte um Freigabe. Ihre Eingaben wurden nicht gespeichert.',
  returned: 'Die Bitte um Freigabe wurde zurückgegeben.',
  withdrawn: 'Die Bitte um Freigabe wurde zurückgezogen. Es wurde nichts veröffentlicht.',
  approved: 'Die Freigabe wurde erteilt.',
  own: 'Sie haben selbst um diese Freigabe gebeten. Eine andere Person muss sie erteilen.',
  mayNotDecide: 'Sie dürfen diese Freigabe nicht erteilen. Noch ist nichts veröffentlicht.',
  approve: {
    source_run: 'Freigeben und jetzt abrufen',
    undo: 'Freigeben und Import rückgängig machen',
    correction: 'Freigeben und Berichtigung veröffentlichen',
    reversal: 'Freigeben und Entscheidung aufheben',
    match: 'Freigeben und Veröffentlichung zulassen',
    open_data: 'Freigeben und so veröffentlichen',
    approval_off: 'Freigeben und Freigaben ausschalten',
  },
  approveImport: (action) => `Freigeben: ${action}`,
  return: 'Zurückgeben',
  returnTitle: 'Zurückgeben statt freigeben',
  returnHint:
    'Diesen Satz liest die Person, die um Freigabe gebeten hat, auch in einer E-Mail. Höchstens 1.000 Zeichen.',
  returnMissing: 'Schreiben Sie in einem Satz, was geändert werden soll.',
  returnTooLong: 'Geben Sie höchstens 1.000 Zeichen ein.',
  withdraw: 'Bitte um Freigabe zurückziehen',
  withdrawOther: 'Bitte der anderen Person zurückziehen',
  decisionTitle: 'Soll das veröffentlicht werden?',
  nothing:
    'Es wurde nichts veröffentlicht: Es ist nichts mehr zu tun, oder etwas hat sich geändert. Geben Sie die Bitte um Freigabe zurück.',
  conflict:
    'Das ist zurzeit nicht möglich. Es wurde nichts veröffentlicht. Versuchen Sie es später noch einmal, oder geben Sie die Bitte um Freigabe zurück.',
  dataChanged: 'Seit dem Testlauf haben sich veröffentlichte Daten der Kommune geändert',
  dataChangedHint:
    'Der Import kann anders ausfallen, als es der Testlauf zeigt. Geben Sie die Bitte im Zweifel zurück, damit der Testlauf wiederholt wird.',
  obstacles: {
    gone: 'Was freigegeben werden sollte, gibt es nicht mehr. Geben Sie die Bitte um Freigabe zurück.',
    changed:
      'Hier hat sich seit der Bitte etwas geändert. Eine Freigabe ist nicht mehr möglich: Geben Sie die Bitte zurück, damit neu um Freigabe gebeten wird.',
  },
  scheduled: 'Zeitplan',
  scheduledHint: 'Spätere Importe nach diesem Zeitplan veröffentlichen ohne weitere Freigabe.',
  acceptedPersonalData: (kinds) =>
    `Mögliche personenbezogene Daten werden ohne Ersetzung veröffentlicht: ${kinds}`,
  field: 'Feld',
  present: 'Jetzt veröffentlicht',
  wanted: 'Gewünscht',
  fieldChanged: 'seit der Bitte geändert',
  reason: 'Begründung',
  address: 'Adresse',
  sourceRunConsequence:
    'Die Quelle wird jetzt abgerufen, und ihre Daten werden ohne Testlauf veröffentlicht.',
  approvalOffConsequence: 'Danach veröffentlicht jede Person mit der Aufgabe „Veröffentlichen“ allein.',
  toRequest: 'Bitte um Freigabe ansehen',
  waits: (kind, person, time) =>
    `${kind}: ${person} hat am ${time} um Freigabe gebeten. Noch ist nichts veröffentlicht.`,
  ask: 'Um Freigabe bitten',
  askAction: (action) => `Um Freigabe bitten: ${action}`,
  askHint:
    'Eine andere Person mit der Aufgabe „Veröffentlichen“ muss das freigeben. Bis dahin wird nichts veröffentlicht.',
  askSaveHint: (field) =>
    `Schalten Sie „${field}“ ein, muss eine andere Person mit der Aufgabe „Veröffentlichen“ das Speichern freigeben. Das Ausschalten der offenen Daten braucht keine Freigabe.`,
  nobodyElse: {
    publish: 'Außer Ihnen darf in dieser Kommune niemand Veröffentlichungen freigeben',
    accounts: 'Außer Ihnen darf in dieser Kommune niemand dem Ausschalten der Freigaben zustimmen',
  },
  nobodyElseHint: (task) =>
    `Geben Sie einer Kollegin oder einem Kollegen die Aufgabe „${task}“, oder bitten Sie den Systembetrieb um die Freigabe.`,
  oneWaits: 'Eine Bitte wartet auf Ihre Freigabe.',
  someWait: (count) => `${count} Bitten warten auf Ihre Freigabe.`,
  toList: 'Bitten um Freigabe ansehen',
  setting: {
    title: 'Freigabe durch eine zweite Person',
    intro:
      'Sind Freigaben eingeschaltet, veröffentlicht im Verwaltungsbereich niemand allein: Eine Person bittet um Freigabe, eine andere mit der Aufgabe „Veröffentlichen“ erteilt sie. Wer importieren, aber nicht veröffentlichen darf, bittet immer um Freigabe.',
    covered:
      'Das gilt für Importe, „Jetzt abrufen“, das Rückgängigmachen eines Imports, Berichtigungen, das Aufheben von Entscheidungen über Datensätze und für offene Daten. Zurückziehen und Löschen brauchen keine Freigabe.',
    notCovered:
      'Quellen mit Zeitplan veröffentlichen von selbst, ebenso die Befehlszeile und Bereitstellungsdateien. Einstellungen von Quellen, zu ersetzende Wörter und Standorte wirken ohne Freigabe auf spätere Importe.',
    status: {
      on: 'Freigaben sind eingeschaltet.',
      off: 'Freigaben sind ausgeschaltet: Jede Person mit der Aufgabe „Veröffentlichen“ veröffentlicht allein.',
    },
    switchOn: 'Freigaben einschalten',
    switchOff: 'Freigaben ausschalten',
    switchedOn: 'Freigaben sind ab jetzt eingeschaltet.',
    offHint: 'Eine andere Person mit der Aufgabe „Konten und Einstellungen“ muss das freigeben.',
    open: 'Freigaben ändern',
  },
};
