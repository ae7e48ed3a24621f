import type { Messages } from '../en.ts';

export const navigation: Messages['navigation'] = {
  menu: 'Menü',
  closeMenu: 'Menü schließen',
  installation: 'Systembetrieb',
  groups: { data: 'Daten', imports: 'Import', access: 'Zugang', administration: 'Administration' },
  breadcrumbs: 'Sie sind hier',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  accessibility: 'Erklärung zur Barrierefreiheit',
};

export const organizationSearch: Messages['organizationSearch'] = {
  label: 'Kommune suchen',
  submit: 'Suchen',
  suggestions: 'Passende Kommunen',
  noneFound: 'Keine Kommune gefunden.',
  found: 'Vorschläge: #. Wählen Sie mit den Pfeiltasten aus.',
};
