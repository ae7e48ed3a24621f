import type { Messages } from '../en.ts';

export const apiValues: Pick<Messages, 'apiValues'> = {
  apiValues: {
    submitted: 'eingereicht',
    received: 'eingegangen',
    in_review: 'in Prüfung',
    accepted: 'angenommen',
    rejected: 'abgelehnt',
    completed: 'erledigt',
    withdrawn: 'zurückgezogen',
    active: 'laufend',
    closed: 'beendet',
    archived: 'archiviert',
    low: 'niedrig',
    high: 'hoch',
    urgent: 'dringend',
    single_choice: 'Einfachauswahl',
    multiple_choice: 'Mehrfachauswahl',
    scale: 'Skala',
    matrix: 'Matrix',
    ranking: 'Rangfolge',
    text: 'Freitext',
  },
};
