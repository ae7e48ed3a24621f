/** Shades of a municipality's colour with the contrast of WCAG 2.2 AA, for the backgrounds of the design system. */

type Rgb = readonly number[];

/** Backgrounds in sRGB: of the header, and the one of the content that allows the fewest shades. */
const themes = {
  light: { header: '#f3f4f7', content: '#ffe7b6', blackOrWhite: '#000000' },
  dark: { header: '#131525', content: '#1d2034', blackOrWhite: '#ffffff' },
} as const;

export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

/** Success criteria 1.4.11 and 1.4.3. */
const minContrast = { bar: 3, text: 4.5 };

/**
 * @param color such as `#004f9f`
 * @returns of a bar at the header, and of links and buttons: the colour itself, or the nearest shade with enough contrast
 */
export function deriveAccentShades(color: string, theme: Theme): { bar: string; text: string } {
  const { header, content, blackOrWhite } = themes[theme];
  return {
    bar: deriveShade(color, header, blackOrWhite, minContrast.bar),
    text: deriveShade(color, content, blackOrWhite, minContrast.text),
  };
}

/** Mixes in as little black or white as possible. */
function deriveShade(color: string, background: string, blackOrWhite: string, wanted: number): string {
  const [from, to] = [parseHex(color), parseHex(blackOrWhite)];
  for (let percent = 0; percent < 100; percent += 1) {
    const shade = from.map((value, index) =>
      Math.round(value + (((to[index] ?? 0) - value) * percent) / 100),
    );
    if (computeContrast(shade, parseHex(background)) >= wanted) return toHex(shade);
  }
  return blackOrWhite;
}

const parseHex = (color: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const toHex = (rgb: Rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function computeContrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function computeLuminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
