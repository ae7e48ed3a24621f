/** Texts of the header, the breadcrumbs and the footer. */
export const navigation = {
  navigation: {
    menu: 'Menu',
    closeMenu: 'Close menu',
    installation: 'Installation',
    organization: 'Municipality',
    breadcrumbs: 'Breadcrumbs',
    imprint: 'Imprint',
    privacy: 'Privacy',
    accessibility: 'Accessibility statement',
  },
};
