/** Texts of the header, the breadcrumbs and the footer. */
export const navigation = {
  menu: 'Menu',
  closeMenu: 'Close menu',
  installation: 'Installation',
  groups: { data: 'Data', imports: 'Import', access: 'Access', administration: 'Administration' },
  breadcrumbs: 'Breadcrumbs',
  imprint: 'Imprint',
  privacy: 'Privacy',
  accessibility: 'Accessibility statement',
};

export const organizationSearch = {
  label: 'Find municipality',
  submit: 'Search',
  suggestions: 'Matching municipalities',
  noneFound: 'No municipality found.',
  /** `#` stands for the number. */
  found: 'Suggestions: #. Use the arrow keys to choose.',
};
