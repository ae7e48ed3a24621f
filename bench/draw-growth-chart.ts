/** Draws the speed of pages by size of the database, with logarithmic axes. Flat lines are the goal. */
import { scaleLog } from 'd3-scale';
import type { GrowthPoint } from './growth.ts';

const width = 760;
const height = 300;
const left = 60;
const bottom = height - 40;
const lines = { first: '#1f6f8b', middle: '#c8693b', last: '#5b8c3a' } as const;

export function drawGrowthChart(points: readonly GrowthPoint[]): string {
  const bySize = points.filter(({ municipalities }) => municipalities === 1);
  const sizes = bySize.map(({ submissions }) => submissions);
  const x = scaleLog([Math.min(...sizes), Math.max(...sizes)], [left + 20, width - 40]);
  const y = scaleLog([1_000, 100_000], [bottom, 40]);
  const grid = [1_000, 10_000, 100_000].map(
    (tick) =>
      `<line x1="${left}" x2="${width - 20}" y1="${y(tick)}" y2="${y(tick)}" stroke="#8884"/><text x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
  );
  const ticks = sizes.map(
    (size) =>
      `<text x="${x(size)}" y="${bottom + 18}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  );
  const drawn = Object.entries(lines).map(([part, colour], place) => {
    const path = bySize.map((point) => `${x(point.submissions)},${y(point[part as keyof typeof lines])}`);
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/><text x="${left + 20 + place * 90}" y="20" fill="${colour}">${part} page</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Pages per second by the number of submissions" font-family="system-ui, sans-serif" font-size="12" fill="#777">
${[...grid, ...ticks, ...drawn].join('\n')}
<text x="${width / 2}" y="${height - 4}" text-anchor="middle">submissions of the municipality; pages per second, all different</text>
</svg>
`;
}
