/** Texts of the imports and sources of all municipalities. */
export const importsOfAll = {
  title: 'Imports of all municipalities',
  intro: 'All imports, newest first. Dry runs are not listed.',
  sourcesIntro: 'The sources of all municipalities. Sources that need attention come first.',
  none: 'There are no imports yet.',
  noneFound: 'No import matches the filter.',
  tooMany: (limit: string) => `More than ${limit} municipalities match. Enter a longer part of the name.`,
  showAll: 'Show all imports',
  found: (found: string, all: string) =>
    all === '0' ? 'No sources have been set up.' : `${found} of ${all} sources`,
  error: 'Error message',
};
