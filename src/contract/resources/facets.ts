/** The values that filters can have, as listFacets returns them. */
import Type, { type Static } from 'typebox';
import { hasMore, limits, list, nextCursor, nullable, word } from '../field-schemas.ts';

/** In base64, of the longest value in UTF-8, its kind and the signature. */
export const maxFacetCursorLength = Math.ceil((4 * limits.name + 50) / 3) * 4;

export const Facet = Type.Object(
  {
    kind: word(
      'Name of the parameter that has this value: `status`, `topic` or `committee`. A later version may add others.',
      'status',
    ),
    value: word('Value that occurs in the published data.', 'in_review', limits.name),
  },
  { title: 'Facet', description: 'A value that a filter of lists and searches can have.' },
);

export type Facet = Static<typeof Facet>;

export const FacetPagination = Type.Object(
  {
    next_cursor: nullable(
      nextCursor('Value for `cursor` to get the next page; null on the last page.', maxFacetCursorLength),
    ),
    has_more: hasMore,
  },
  { title: 'FacetPagination', description: 'Position in the values.' },
);

/** The envelope of listFacets. */
export const FacetPage = Type.Object(
  { data: list('Facet', 'Values on this page.', 100), pagination: Type.Ref('FacetPagination') },
  { title: 'FacetPage', description: 'One page of values.' },
);
