/**
 * Bar charts as SVG, drawn on the server. Lengths are attributes because the content security policy forbids inline
 * styles. Charts are hidden from screen readers, which read the table beside them.
 */
import { crc32 } from 'node:zlib';
import { html, type SafeHtml } from '@remix-run/html-template';
import { scaleBand, scaleLinear } from 'd3-scale';
import { recommendedValues } from '../../contract/field-schemas.ts';

/** Results of requests, in the order of the stack. */
export const requestResults = ['answered', 'invalid', 'inactive', 'limited', 'failed'] as const;

export type RequestResult = (typeof requestResults)[number];

type SubmissionStatus = (typeof recommendedValues.submissionStatus)[number];

/** admin.css defines the fills. Each recommended status has its own colour. */
type ChartColor =
  | 'plain'
  | 'warning'
  | 'other'
  | SubmissionStatus
  | `own-${number}`
  | `requests-${RequestResult}`;

export interface Series {
  name: string;
  color: ChartColor;
  /** One value per label of the axis. */
  values: readonly number[];
}

/** Number of colours for statuses that the contract does not recommend. */
const ownColors = 4;

const width = 960;
const height = 240;
const margin = { top: 12, right: 4, bottom: 28, left: 56 };

/**
 * Draws stacked columns.
 *
 * @param labels of the axis; labels that do not fit are left out
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

/** A bar for a table cell; the number is in the same row. */
export function bar(value: number, whole: number): SafeHtml {
  const percent = whole === 0 ? 0 : Math.min(100, (value / whole) * 100);
  return html`<svg class="chart-cell" aria-hidden="true" focusable="false"><rect class="chart-track" width="100%" height="100%"/><rect class="chart-bar chart-bar--plain" width="${Math.round(percent * 10) / 10}%" height="100%"/></svg>`;
}

/**
 * Chooses the statuses that a chart shows separately, and their colours: the recommended statuses and the most frequent
 * other ones. The colour depends on the name, so a status looks the same in every municipality. If two names of one
 * chart have the same colour, the second one gets the next free colour.
 *
 * @param names most frequent first
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
