/** Links to the map of submissions. */
import { metresPerStep } from '../../../domain/organizations/location-rules.ts';
import { link, paragraph } from '../../ui/components.ts';
import type { SafeHtml } from '../../ui/html.ts';
import { findPastedId } from '../../ui/records/published-submissions.ts';
import type { ShownSubmission } from '../../ui/records/submission-content.ts';
import type { OpenContext } from '../open-context.ts';
import { mapPath } from './page-layout.ts';

/** Of the map in its page. */
export const mapFragment = 'map';

/** Decimals of locations, also of those that another program has written into the database. */
export const countDecimals = ({ organization }: OpenContext): number => organization.locationDecimals ?? 4;

/** The query of the first page of an area, with a question mark. @param area undefined: everywhere */
export function changeArea(query: URLSearchParams, area: string | undefined): string {
  const next = new URLSearchParams(query);
  for (const name of ['after', 'skipped', 'area', 'record']) next.delete(name);
  if (area !== undefined) next.set('area', area);
  return next.size === 0 ? '' : `?${next}`;
}

/** To the map with the same filters. A pasted id finds its submission in the list only. */
export function mapLink({ text, query, home, content }: OpenContext): SafeHtml | string {
  if (!content.parts.includes('locations') || findPastedId(query) !== undefined) return '';
  return paragraph(
    link(`${home.path}/${mapPath}${changeArea(query, undefined)}`, text.openDataPages.showOnMap),
  );
}

/** A link to the map of ten steps of the rounding in each direction, with the area of a submission marked. */
export function locateOnMap(context: OpenContext, { id, location }: ShownSubmission): SafeHtml | undefined {
  if (!location) return undefined;
  const { text, format, home, query } = context;
  const decimals = countDecimals(context);
  const [longitude, latitude] = location.coordinates;
  const reach = 10 ** (1 - decimals);
  const bounds = [longitude - reach, latitude - reach, longitude + reach, latitude + reach];
  const area = changeArea(query, bounds.map((degrees) => degrees.toFixed(decimals)).join(','));
  const address = `${home.path}/${mapPath}${area}&${new URLSearchParams({ record: id })}#${mapFragment}`;
  return paragraph(
    `${text.openDataPages.approximate(format.distance(metresPerStep(decimals)))} `,
    link(address, text.openDataPages.showOnMap),
  );
}
