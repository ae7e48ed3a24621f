import type { Messages } from '../en.ts';

export const navigation: Pick<Messages, 'navigation'> = {
  navigation: {
    menu: 'Menü',
    closeMenu: 'Menü schließen',
    installation: 'Systembetrieb',
    organization: 'Kommune',
    breadcrumbs: 'Sie sind hier',
    imprint: 'Impressum',
    privacy: 'Datenschutz',
    accessibility: 'Erklärung zur Barrierefreiheit',
  },
};
