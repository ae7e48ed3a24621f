import type { Messages } from '../en.ts';

export const recordNotes: Messages['recordNotes'] = {
  title: 'Notizen',
  intro:
    'Notizen sehen nur Konten Ihrer Kommune und der Systembetrieb. Sie werden nie veröffentlicht und mit dem Datensatz gelöscht.',
  label: 'Neue Notiz',
  hint: (max) => `Höchstens ${max} Zeichen.`,
  add: 'Notiz hinzufügen',
  delete: 'Notiz löschen',
  done: { added: 'Die Notiz ist gespeichert.', deleted: 'Die Notiz ist gelöscht.' },
  invalid: (max) => `Geben Sie einen Text mit höchstens ${max} Zeichen ein.`,
  full: (max) =>
    `Ein Datensatz hat höchstens ${max} Notizen. Löschen Sie eine, um eine weitere hinzuzufügen.`,
};
