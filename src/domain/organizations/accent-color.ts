/** The colour of a municipality, as its public pages show it. */

export const accentColorPattern = '^#?[0-9A-Fa-f]{6}$';

/** @returns the stored form, such as `#004f9f`; undefined for an invalid colour */
export function parseAccentColor(text: string): string | undefined {
  const color = text.trim();
  return new RegExp(accentColorPattern).test(color) ? `#${color.replace('#', '').toLowerCase()}` : undefined;
}
