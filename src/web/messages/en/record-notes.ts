/** Texts about notes on records. */
export const recordNotes = {
  title: 'Notes',
  intro:
    'Only accounts of your municipality and the operator read notes. They are never published, and are deleted with the record.',
  label: 'New note',
  hint: (max: string) => `At most ${max} characters.`,
  add: 'Add note',
  delete: 'Delete note',
  done: { added: 'The note was added.', deleted: 'The note was deleted.' },
  invalid: (max: string) => `Enter a text of at most ${max} characters.`,
  full: (max: string) => `A record has at most ${max} notes. Delete one to add another.`,
};
