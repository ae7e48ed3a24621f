/** Draws a run as a chart: the ratio of each row to bare `node:http`. */
import { scaleLinear } from 'd3-scale';
import type { Run } from './bench.ts';

const width = 760;
const labels = 270;
const barHeight = 10;
const rowHeight = 30;
const colours = { sqlite: '#1f6f8b', postgres: '#c8693b' };

export function drawChart({ rows }: Run): string {
  const names = [...new Set(rows.map(({ name }) => name))];
  const height = 60 + names.length * rowHeight;
  const x = scaleLinear([0, 1], [labels, width - 50]);
  const grid = x
    .ticks(5)
    .map(
      (tick) =>
        `<line x1="${x(tick)}" x2="${x(tick)}" y1="36" y2="${height - 10}" stroke="#8884"/><text x="${x(tick)}" y="30" text-anchor="middle">${tick * 100} %</text>`,
    );
  const bars = names.flatMap((name, place) => {
    const top = 44 + place * rowHeight;
    const label = `<text x="${labels - 10}" y="${top + 14}" text-anchor="end">${name}</text>`;
    const found = rows.filter((row) => row.name === name);
    return [
      label,
      ...found.map(({ engine, ratio }, index) => {
        const y = top + index * (barHeight + 1);
        const end = x(ratio.median);
        return `<rect x="${labels}" y="${y}" width="${(end - labels).toFixed(1)}" height="${barHeight}" fill="${colours[engine]}"/><text x="${(end + 5).toFixed(1)}" y="${y + 9}" font-size="10">${Math.round(ratio.median * 100)} %</text>`;
      }),
    ];
  });
  const legend = Object.entries(colours).map(
    ([engine, colour], place) =>
      `<rect x="${labels + place * 110}" y="4" width="12" height="12" fill="${colour}"/><text x="${labels + 18 + place * 110}" y="14">${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Requests per second as a share of bare node:http" font-family="system-ui, sans-serif" font-size="12" fill="#777">
${[...legend, ...grid, ...bars].join('\n')}
</svg>
`;
}
