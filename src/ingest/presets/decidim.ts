/** Built from the GraphQL types and the documentation of Decidim 0.24 to 0.31. */
import type { Groups, ListChoice, Preset, Selection } from './preset.ts';

const spaces = { processes: 'participatoryProcess', assemblies: 'assembly', conferences: 'conference' };
const lists = { processes: 'participatoryProcesses', assemblies: 'assemblies', conferences: 'conferences' };

const text = { translations: { locale: true, text: true, machineTranslated: true } } as const;

/** Authors, addresses and answers are never published. */
const proposal: Selection = {
  ...{ id: true, reference: true, title: text, body: text, state: true },
  ...{ withdrawn: true, withdrawnAt: true, answeredAt: true, publishedAt: true, createdAt: true },
  ...{ voteCount: true, endorsementsCount: true, likesCount: true },
  category: { name: text },
  taxonomies: { id: true, name: text },
  attachments: { url: true, title: text },
};

const components: Selection = {
  slug: true,
  title: text,
  'components(filter: {type: "Proposals"})': { id: true, name: text },
};

export const decidim: Preset = {
  title: 'Decidim',
  format: 'decidim',
  // By default, Decidim answers 100 requests a minute.
  pauseMs: 600,
  addresses: [
    {
      path: '/:folder*/:space(processes|assemblies|conferences)/:slug/f/:component(\\d+){/*}?',
      request: '/:folder/:space/:slug/f/:component/',
    },
    {
      path: '/:folder*/:space(processes|assemblies|conferences)/:slug{/*}?',
      request: '/:folder/:space/:slug',
    },
    { path: '/:folder*/api{/:page(graphiql|docs)}?{/}?', request: '/:folder/api' },
    { path: '/', request: '/api' },
  ],
  paging: {
    by: 'cursor',
    api: '/:folder/api',
    optional: [
      ...['machineTranslated', 'withdrawn', 'withdrawnAt', 'endorsementsCount', 'likesCount', 'category'],
      ...['taxonomies', ...Object.values(spaces), ...Object.values(lists)],
    ],
    connection: 'data.component.proposals',
    id: 'id',
    list: 'component',
    selectPage: (component, after) => {
      const place = `first: 50, order: {id: "asc"}${after === undefined ? '' : `, after: ${JSON.stringify(after)}`}`;
      const page: Selection = {
        pageInfo: { hasNextPage: true, endCursor: true },
        edges: { cursor: true, node: proposal },
      };
      return {
        [`component(id: ${JSON.stringify(component)})`]: {
          '... on Proposals': { [`proposals(${place})`]: page },
        },
      };
    },
    selectLists: ({ space, slug }) =>
      slug === undefined
        ? Object.fromEntries(Object.values(lists).map((name) => [name, components]))
        : { [`${spaces[space as keyof typeof spaces]}(slug: ${JSON.stringify(slug)})`]: components },
    listChoices: (data, { folder = '' }) =>
      Object.entries(data).flatMap(([name, found]) => listComponents(name, [found].flat(), folder)),
  },
  records: 'data.component.proposals.edges[].node',
  error: 'errors.0.message',
};

interface Translated {
  translations?: ({ text?: unknown } | null)[];
}

interface Component {
  id?: unknown;
  name?: Translated | null;
}

/** As a server should return it. */
interface Space {
  slug?: unknown;
  title?: Translated | null;
  components?: (Component | null)[] | null;
}

function listComponents(name: string, found: unknown[], folder: string): ListChoice[] {
  const path = Object.keys(spaces).find((key) =>
    [spaces, lists].some((names) => (names as Groups)[key] === name),
  );
  return (found as (Space | null)[]).flatMap((space) => {
    const { slug, title, components } = space ?? {};
    if (path === undefined || typeof slug !== 'string' || !Array.isArray(components)) return [];
    return components.flatMap((component) => {
      const { id, name: label } = component ?? {};
      if (typeof id !== 'string') return [];
      const place = `${folder === '' ? '' : `/${folder}`}/${path}/${slug}/f/${id}/`;
      return { id, path: place, title: `${getText(title)}: ${getText(label)}` };
    });
  });
}

function getText(value: Translated | null | undefined): string {
  const { translations } = value ?? {};
  const texts = Array.isArray(translations) ? translations.map((one) => one?.text) : [];
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}
