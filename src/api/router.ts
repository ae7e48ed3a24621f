import createFindMyWay from 'find-my-way';
import { maxUriBytes } from './errors.ts';
import type { RequestTarget, Route } from './routes.ts';

export type RouteMatch = RequestTarget & { route: Route };

/**
 * The returned function ignores the method, so that a known path with another method can be told from an unknown path.
 *
 * @param routes by path, in the syntax of find-my-way
 */
export function createRouter(
  routes: ReadonlyMap<string, Route>,
): (url: string) => RouteMatch | 'unknown' | 'malformed' {
  const router = createFindMyWay({
    maxParamLength: maxUriBytes,
    // The query is parsed later, after the key was checked.
    querystringParser: (queryString) => ({ queryString }),
    // Without it, `find` returns null for malformed URLs too; with it, a match without a store.
    onBadUrl: () => undefined,
  });
  for (const [path, route] of routes) router.on('GET', path, () => undefined, route);
  return (url) => {
    const match = router.find('GET', url);
    if (match === null) return 'unknown';
    const route: Route | null = match.store;
    if (route === null) return 'malformed';
    const { id = '' } = match.params;
    // The router accepts an empty parameter; no operation does.
    if (id === '' && 'id' in match.params) return 'unknown';
    return { route, id, queryString: match.searchParams.queryString ?? '' };
  };
}
