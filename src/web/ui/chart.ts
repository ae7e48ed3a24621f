/**
 * Bar charts as SVG, drawn on the server. Lengths are attributes because the content security policy forbids inline
 * styles. Charts are hidden from screen readers, which read the table beside them.
 */
import { crc32 } from 'node:zlib';
import { scaleBand, scaleLinear } from 'd3-scale';
import { recommendedValues } from '../../contract/field-schemas.ts';
import { html, type SafeHtml } from './html.ts';

/** Results of requests, in the order of the stack. */
export const requestResults = ['answered', 'invalid', 'inactive', 'limited', 'failed'] as const;

export type RequestResult = (typeof requestResults)[number];

type SubmissionStatus = (typeof recommendedValues.submissionStatus)[number];

/** page-parts.css and admin.css define the fills. Each recommended status has its own colour. */
type ChartColor = 'other' | SubmissionStatus | `own-${number}` | `requests-${RequestResult}`;

export interface Series {
  name: string;
  color: ChartColor;
  /** One value per label of the axis. */
  values: readonly number[];
  /** What a click on its name in the legend shows. */
  path?: string | undefined;
}

/** Patterns for statuses that the contract does not recommend. They have no colour, because a colour would suggest a meaning. */
const ownPatterns = ['M0 8 8 0', 'M0 0 8 8', 'M0 4H8', 'M4 0V8M0 4H8'];

/** Texts for the values that a script shows beside the chart. */
interface ChartOptions {
  /** Name of the sum of all series. */
  total?: string;
  /** How to read the values by keyboard. */
  keyboardHint?: string;
  /** Which labels of the axis to show; by default at most ten. */
  isLabelShown?: (place: number) => boolean;
  /** What a click on a column shows. The table beside the chart has the same links, for the keyboard. */
  getPath?: (place: number) => string | undefined;
  /** It shares the page with figures beside it. The heading above says what it shows. */
  isHalf?: true;
}

/** The same texts have the same size in both. */
const sizes = { whole: { width: 960, height: 240 }, half: { width: 680, height: 300 } };

/** In pixels: page-parts.css lets a narrower chart scroll. */
const scrolledWidth = 600;

const margin = { top: 12, right: 4, bottom: 28, left: 56 };

/** To a tenth of a pixel: more digits only make the page longer. */
const round = (length = 0): number => Math.round(length * 10) / 10;

/**
 * Draws stacked columns. The values of each column are shown on hover, and, by a script, with the arrow keys.
 *
 * @param labels of the axis; labels that do not fit are left out
 */
export function columnChart(
  title: string,
  labels: readonly string[],
  series: readonly Series[],
  format: (value: number) => string,
  { total, keyboardHint, isLabelShown, getPath, isHalf }: ChartOptions = {},
): SafeHtml {
  const { width, height } = isHalf ? sizes.half : sizes.whole;
  const totals = labels.map((_, place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0));
  const y = scaleLinear([0, Math.max(1, ...totals)], [height - margin.bottom, margin.top]).nice(4);
  const x = scaleBand(labels.keys(), [margin.left, width - margin.right]).padding(0.2);
  const ticks = y.ticks(4).filter(Number.isInteger);
  const every = Math.ceil(labels.length / 10);
  const isShown = isLabelShown ?? ((place: number) => place % every === 0);
  const bars = labels.map((label, place) => {
    let below = 0;
    const parts = series.map(({ values, color }) => {
      const value = values[place] ?? 0;
      const top = y(below + value);
      const barHeight = y(below) - top;
      below += value;
      if (value === 0) return '';
      return html`<rect class="chart-bar chart-bar--${color}"${ownFill(color)} x="${round(x(place))}" y="${round(top)}" width="${round(x.bandwidth())}" height="${round(barHeight)}"/>`;
    });
    const middle = (x(place) ?? 0) + x.bandwidth() / 2;
    const caption = isShown(place)
      ? html`<text class="chart-label" x="${round(middle)}" y="${height - 8}" text-anchor="middle">${label}</text>`
      : '';
    const values = series
      .map(({ name, values }) => ({ name, value: values[place] ?? 0 }))
      .filter(({ value }) => value > 0 || series.length === 1)
      .map(({ name, value }) => `${name}: ${format(value)}`);
    if (total !== undefined) values.push(`${total}: ${format(totals[place] ?? 0)}`);
    const summary = `${label}. ${values.join(', ')}`;
    const column = html`<rect class="chart-column" x="${round((x(place) ?? 0) - (x.step() - x.bandwidth()) / 2)}" y="${margin.top}" width="${round(x.step())}" height="${height - margin.top - margin.bottom}"><title>${summary}</title></rect>`;
    const path = getPath?.(place);
    return [
      ...parts,
      caption,
      path === undefined ? column : html`<a href="${path}" tabindex="-1">${column}</a>`,
    ];
  });
  const axisLabel = (tick: number, place: number) =>
    html`<text class="chart-label" x="${margin.left - 8}" y="${round(place) + 4}" text-anchor="end">${format(tick)}</text>`;
  const lines = ticks.map(
    (tick) =>
      html`<line class="chart-line" x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick)}" y2="${y(tick)}"/>${axisLabel(tick, y(tick))}`,
  );
  // On a phone it stays in view while the chart scrolls below it.
  const axis = html`<svg class="chart-axis" viewBox="0 0 ${margin.left} ${height}" width="${round((margin.left * scrolledWidth) / width)}" aria-hidden="true" focusable="false">${ticks.map((tick) => axisLabel(tick, y(tick)))}</svg>`;
  const hasOwn = series.some(({ color }) => color.startsWith('own-'));
  return html`<figure class="chart" data-chart>
${isHalf ? '' : html`<figcaption class="kern-title kern-title--small">${title}</figcaption>`}
${series.length > 1 ? legend(series) : ''}
<div class="chart-frame">${axis}<div class="chart-box" role="group" aria-label="${title}" tabindex="0"><svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${hasOwn ? ownPatternDefinitions() : ''}${lines}${bars.flat()}</svg></div></div>
<p class="kern-body kern-body--small chart-values" hidden><output data-chart-values>${keyboardHint ?? ''}</output></p>
</figure>`;
}

function ownPatternDefinitions(): SafeHtml {
  const patterns = ownPatterns.map(
    (path, index) =>
      html`<pattern id="chart-own-${index}" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="chart-pattern-ground" width="8" height="8"/><path class="chart-pattern-line" d="${path}"/></pattern>`,
  );
  return html`<defs>${patterns}</defs>`;
}

/** An attribute, because a style sheet cannot refer to a pattern of the page in every browser. */
const ownFill = (color: ChartColor) => (color.startsWith('own-') ? html` fill="url(#chart-${color})"` : '');

function legend(series: readonly Series[]): SafeHtml {
  const entries = series.map(
    ({ name, color, path }) =>
      html`<li><svg class="chart-key" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect class="chart-bar chart-bar--${color}"${ownFill(color)} width="16" height="16"/></svg> ${path === undefined ? html`<bdi>${name}</bdi>` : html`<a class="kern-link" href="${path}"><bdi>${name}</bdi></a>`}</li>`,
  );
  return html`<ul class="chart-legend inline-list kern-body kern-body--small">${entries}</ul>`;
}

/** A bar for a table cell; the number is in the same row. */
export function bar(value: number, whole: number): SafeHtml {
  const percent = whole === 0 ? 0 : Math.min(100, (value / whole) * 100);
  return html`<svg class="chart-cell" aria-hidden="true" focusable="false"><rect class="chart-track" width="100%" height="100%"/><rect class="chart-bar chart-bar--plain" width="${Math.round(percent * 10) / 10}%" height="100%"/></svg>`;
}

/**
 * Chooses the statuses that a chart shows separately: the recommended statuses, each with its own colour, and the most
 * frequent other ones, each with a pattern that depends on its name. If two names of one chart have the same pattern, the
 * second one gets the next free pattern.
 *
 * @param names most frequent first
 */
export function assignStatusColors(names: readonly string[]): Map<string, ChartColor> {
  const known = recommendedValues.submissionStatus.filter((status) => names.includes(status));
  const colors = new Map<string, ChartColor>(known.map((status) => [status, status]));
  const free = new Set(ownPatterns.keys());
  const own = names.filter((name) => !colors.has(name)).slice(0, ownPatterns.length);
  for (const name of own.toSorted()) {
    let pattern = crc32(name) % ownPatterns.length;
    while (!free.delete(pattern)) pattern = (pattern + 1) % ownPatterns.length;
    colors.set(name, `own-${pattern}`);
  }
  return colors;
}
