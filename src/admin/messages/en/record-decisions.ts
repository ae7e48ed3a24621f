/** Texts about decisions on single records. */
export const recordDecisions = {
  decisions: {
    title: 'Unpublished',
    intro:
      'These records are not published, whatever their sources deliver. Neither imports nor undos publish them until the decision is taken back.',
    none: 'No record is unpublished.',
    record: 'Record',
    kinds: { submission: 'Submission', session: 'Session' },
    at: 'Unpublished on',
    by: 'Unpublished by',
    reason: 'Reason',
    reasonHint:
      'All accounts of your municipality can read the reason, also in the audit log. Do not enter personal data.',
    reasonMissing: 'Enter a reason.',
    reasonTooLong: (max: string) => `The reason must be in one line with at most ${max} characters.`,
    unpublish: 'Unpublish',
    unpublishTitle: { submission: 'Unpublish submission', session: 'Unpublish session' },
    consequence: {
      submission:
        'The submission disappears from the API and from all agendas with the next request. Later imports and undos do not publish it again. You can take the decision back at any time.',
      session:
        'The session disappears from the API with the next request. Later imports and undos do not publish it again. You can take the decision back at any time.',
    },
    copies: 'Copies that others have already fetched are not deleted.',
    isUnpublished: {
      submission: 'This submission is not published',
      session: 'This session is not published',
    },
    latest: 'Latest content of the source',
    missing: 'The source no longer has this record.',
    revert: 'Publish again',
    revertMissing: 'Take the decision back',
    reverted: 'The record is published again.',
    revertedMissing:
      'The decision no longer applies. The record is published again when an import contains it.',
  },
};
