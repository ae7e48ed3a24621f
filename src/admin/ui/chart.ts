/**
 * Bar charts as SVG, drawn on the server: lengths are attributes, as a strict policy allows no style. A chart is a
 * picture of the table beside it, which is what a screen reader is given.
 */
import { crc32 } from 'node:zlib';
import { html, type SafeHtml } from '@remix-run/html-template';
import { scaleBand, scaleLinear } from 'd3-scale';
import { recommendedValues } from '../../contract/resource-schemas.ts';

type SubmissionStatus = (typeof recommendedValues.submissionStatus)[number];

/** admin.css has their fills. Statuses that the contract recommends have colours of their own. */
export type ChartColor = 'plain' | 'warning' | 'other' | SubmissionStatus | `own-${number}`;

export interface Series {
  name: string;
  color: ChartColor;
  /** One for each place of the axis. */
  values: readonly number[];
}

/** A municipality's own statuses share these colours. */
const ownColors = 4;

const width = 960;
const height = 240;
const margin = { top: 12, right: 4, bottom: 28, left: 56 };

/**
 * Columns of stacked bars.
 *
 * @param labels of the places; all that fit are written
 */
export function columnChart(
  title: string,
  labels: readonly string[],
  series: readonly Series[],
  format: (value: number) => string,
): SafeHtml {
  const totals = labels.map((_, place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0));
  const y = scaleLinear([0, Math.max(1, ...totals)], [height - margin.bottom, margin.top]).nice(4);
  const x = scaleBand(labels.keys(), [margin.left, width - margin.right]).padding(0.2);
  const ticks = y.ticks(4).filter(Number.isInteger);
  const every = Math.ceil(labels.length / 10);
  const bars = labels.map((label, place) => {
    let below = 0;
    const parts = series.map(({ values, name, color }) => {
      const value = values[place] ?? 0;
      const top = y(below + value);
      const barHeight = y(below) - top;
      below += value;
      if (value === 0) return '';
      return html`<rect class="chart-bar chart-bar--${color}" x="${x(place)}" y="${top}" width="${x.bandwidth()}" height="${barHeight}"><title>${label}, ${name}: ${format(value)}</title></rect>`;
    });
    const middle = (x(place) ?? 0) + x.bandwidth() / 2;
    const caption =
      place % every === 0
        ? html`<text class="chart-label" x="${middle}" y="${height - 8}" text-anchor="middle">${label}</text>`
        : '';
    return [...parts, caption];
  });
  const lines = ticks.map(
    (tick) =>
      html`<line class="chart-line" x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="chart-label" x="${margin.left - 8}" y="${y(tick) + 4}" text-anchor="end">${format(tick)}</text>`,
  );
  return html`<figure class="chart">
<figcaption class="hidden-text">${title}</figcaption>
${series.length > 1 ? legend(series) : ''}
<div class="chart-box" role="group" aria-label="${title}" tabindex="0" data-scrolls><svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${lines}${bars.flat()}</svg></div>
</figure>`;
}

function legend(series: readonly Series[]): SafeHtml {
  const entries = series.map(
    ({ name, color }) =>
      html`<li><svg class="chart-key" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect class="chart-bar chart-bar--${color}" width="16" height="16"/></svg> <bdi>${name}</bdi></li>`,
  );
  return html`<ul class="inline-list kern-body kern-body--small">${entries}</ul>`;
}

/** One bar for a cell of a table; the figure stands in the cell beside it. */
export function bar(value: number, whole: number): SafeHtml {
  const percent = whole === 0 ? 0 : Math.min(100, (value / whole) * 100);
  return html`<svg class="chart-cell" aria-hidden="true" focusable="false"><rect class="chart-track" width="100%" height="100%"/><rect class="chart-bar chart-bar--plain" width="${Math.round(percent * 10) / 10}%" height="100%"/></svg>`;
}

/**
 * Chooses the statuses that a chart shows one by one, and their colours: the recommended ones, and the most frequent of
 * a municipality's own. A colour follows from the name, so a status looks the same in every municipality; only where
 * two names of one chart would share a colour, the later one takes the next.
 *
 * @param names the most frequent first
 */
export function assignStatusColors(names: readonly string[]): Map<string, ChartColor> {
  const known = recommendedValues.submissionStatus.filter((status) => names.includes(status));
  const colors = new Map<string, ChartColor>(known.map((status) => [status, status]));
  const free = new Set(Array(ownColors).keys());
  const own = names.filter((name) => !colors.has(name)).slice(0, ownColors);
  for (const name of own.toSorted()) {
    let color = crc32(name) % ownColors;
    while (!free.delete(color)) color = (color + 1) % ownColors;
    colors.set(name, `own-${color}`);
  }
  return colors;
}
