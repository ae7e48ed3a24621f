/** Figures of an overview: cards, and a small chart. */

import { link } from './components.ts';
import { html, type SafeHtml } from './html.ts';

export interface Figure {
  label: string;
  value: SafeHtml | string;
  /** Below the value. */
  note?: SafeHtml | string;
  /** The page with the details. */
  path?: string;
}

export function figureCards(figures: readonly Figure[]): SafeHtml {
  const cards = figures.map(
    ({ label, value, note, path }) =>
      html`<li class="figure-card"><p class="figure-card__label">${path === undefined ? label : link(path, label)}</p>
<p class="figure-card__value">${value}</p>
${note ? html`<div class="figure-card__note kern-body kern-body--small">${note}</div>` : ''}</li>`,
  );
  return html`<ul class="figure-cards">${cards}</ul>`;
}

const barWidth = 12;
const gap = 4;
const height = 32;

/** A chart of a few values without an axis. Screen readers read `description`. */
export function sparkline(values: readonly number[], description: string): SafeHtml {
  const highest = Math.max(1, ...values);
  const bars = values.map((value, index) => {
    // A day with requests stays visible beside a much larger one.
    const barHeight = value === 0 ? 1 : Math.max(3, Math.round((value / highest) * height));
    return html`<rect class="chart-bar chart-bar--plain" x="${index * (barWidth + gap)}" y="${height - barHeight}" width="${barWidth}" height="${barHeight}"/>`;
  });
  const width = values.length * (barWidth + gap) - gap;
  return html`<svg class="sparkline" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${description}">${bars}</svg>`;
}
