import type { Messages } from '../en.ts';

export const recordDecisions: Pick<Messages, 'decisions'> = {
  decisions: {
    title: 'Nicht veröffentlicht',
    intro:
      'Diese Datensätze werden nicht veröffentlicht, auch wenn ihre Quellen sie weiterhin liefern. Solange die Entscheidung gilt, werden sie durch keinen Import erneut veröffentlicht, auch dann nicht, wenn ein Import rückgängig gemacht wird.',
    none: 'Bisher wurde keine Veröffentlichung zurückgenommen.',
    record: 'Datensatz',
    kinds: { submission: 'Anliegen', session: 'Sitzung' },
    at: 'Zurückgenommen am',
    by: 'Zurückgenommen von',
    reason: 'Begründung',
    reasonHint:
      'Alle Konten Ihrer Kommune können die Begründung lesen, auch im Änderungsprotokoll. Geben Sie keine personenbezogenen Daten ein.',
    reasonMissing: 'Geben Sie eine Begründung ein.',
    reasonTooLong: (max) =>
      `Die Begründung muss in einer Zeile stehen und darf höchstens ${max} Zeichen haben.`,
    unpublish: 'Veröffentlichung zurücknehmen',
    unpublishTitle: {
      submission: 'Veröffentlichung des Anliegens zurücknehmen',
      session: 'Veröffentlichung der Sitzung zurücknehmen',
    },
    consequence: {
      submission:
        'Das Anliegen ist ab dem nächsten Abruf weder über die API noch in Tagesordnungen zu finden. Es wird durch keinen Import erneut veröffentlicht, auch dann nicht, wenn ein Import rückgängig gemacht wird. Sie können die Entscheidung jederzeit aufheben.',
      session:
        'Die Sitzung ist ab dem nächsten Abruf nicht mehr über die API zu finden. Sie wird durch keinen Import erneut veröffentlicht, auch dann nicht, wenn ein Import rückgängig gemacht wird. Sie können die Entscheidung jederzeit aufheben.',
    },
    copies: 'Bereits von anderen abgerufene Kopien werden dadurch nicht gelöscht.',
    isUnpublished: {
      submission: 'Dieses Anliegen wird nicht veröffentlicht',
      session: 'Diese Sitzung wird nicht veröffentlicht',
    },
    latest: 'Letzter Stand der Quelle',
    missing: 'Die Quelle enthält diesen Datensatz nicht mehr.',
    revert: 'Wieder veröffentlichen',
    revertMissing: 'Entscheidung aufheben',
    reverted: 'Der Datensatz ist wieder veröffentlicht.',
    revertedMissing:
      'Die Entscheidung gilt nicht mehr. Der Datensatz wird wieder veröffentlicht, sobald ein Import ihn enthält.',
  },
};
