/** The style sheet of a municipality's colour. The content security policy allows no styles in a page. */
import { hash } from 'node:crypto';
import { parseAccentColor } from '../../../domain/organizations/organization-fields.ts';
import { deriveAccentShades, type Theme, themeNames } from '../../ui/accent-color.ts';

/** Before the name of the file. No slug is `assets`. */
export const accentStylesPath = '/open/assets/colors/';

/** The address has a digest of the content, so that browsers can cache it forever. */
export const getAccentStylesPath = (color: string): string => `${accentStylesPath}${nameFile(color)}`;

const nameFile = (color: string) =>
  `${color.slice(1)}-${hash('sha256', composeStyles(color)).slice(0, 16)}.css`;

/** @returns undefined for any name that `getAccentStylesPath` does not give */
export function findAccentStyles(fileName: string): string | undefined {
  const color = parseAccentColor(fileName.slice(0, 6));
  return color !== undefined && fileName === nameFile(color) ? composeStyles(color) : undefined;
}

const composeStyles = (color: string) => themeNames.map((theme) => composeTheme(color, theme)).join('\n');

/** The design system brightens buttons under the pointer, which would take their contrast away. */
function composeTheme(color: string, theme: Theme): string {
  const { bar, text } = deriveAccentShades(color, theme);
  const farther = theme === 'light' ? 'black' : 'white';
  return `@media (prefers-color-scheme: ${theme}) {
  :root {
    --kern-color-action-default: ${text};
    --kern-color-action-state-indicator-shade-hover: color-mix(in oklch, ${text}, ${farther} 8%);
    --kern-color-action-state-indicator-shade-active: color-mix(in oklch, ${text}, ${farther} 16%);
  }

  .open-header {
    border-block-start: 6px solid ${bar};
  }

  .chart-bar--plain {
    fill: ${text};
  }
}`;
}
