/** Single sign-on: to the provider, and back from it. */
import type { Administrator } from '../../domain/administration.ts';
import { type Identity, type Journey, parseJourney, SignOnRefused, type SingleSignOn } from '../auth/oidc.ts';
import type { Visit } from '../request-context.ts';
import type { Answer } from '../response.ts';
import { detour, startPage, wayBack } from '../return-url.ts';
import type { Route, Site } from '../routes.ts';
import { startSignIn } from './sign-in.ts';

/** Between the browser's way to the provider and its way back. */
const journeyCookie = '__Host-rostra-sign-on';
const journeySeconds = 600;

export function providerRoutes(site: Site, singleSignOn: SingleSignOn): Route[] {
  const { store } = site;

  async function depart(visit: Visit): Promise<Answer> {
    const back = wayBack(visit.query);
    const afresh = visit.query.has('afresh') && visit.signIn !== undefined;
    try {
      const { address, journey } = await singleSignOn.depart(visit.language, back, afresh);
      visit.setCookie(journeyCookie, JSON.stringify(journey), journeySeconds);
      return { to: address };
    } catch (error) {
      return refusal(visit, error, back);
    }
  }

  function refusal({ signIn }: Visit, error: unknown, back: string | undefined): Answer {
    if (!(error instanceof SignOnRefused)) throw error;
    singleSignOn.report(error);
    const path = signIn === undefined ? '/admin/sign-in' : '/admin/confirm';
    return { to: detour(path, back, { refused: '1' }) };
  }

  async function arrive(visit: Visit): Promise<Answer> {
    const journey = parseJourney(visit.cookie(journeyCookie));
    visit.setCookie(journeyCookie, '', 0);
    try {
      if (journey === undefined) throw new SignOnRefused('the browser came back without its cookie');
      const identity = await singleSignOn.arrive(visit.query, journey);
      const found = (await store.findCredentials(identity.email))?.administrator;
      if (found === undefined) throw new SignOnRefused(`${identity.email} is no administrator`);
      if (!(await store.bindIdentity(found.id, identity.issuer, identity.subject, visit.address)))
        throw new SignOnRefused(`${identity.email} has another identity at the provider than before`);
      return await letIn(visit, found, identity, journey);
    } catch (error) {
      return refusal(visit, error, journey?.back);
    }
  }

  /** The provider asked for whatever it asks for: a second factor of ours would be a third. */
  async function letIn(
    visit: Visit,
    administrator: Administrator,
    { authenticatedMs }: Identity,
    { back, afresh }: Journey,
  ): Promise<Answer> {
    if (afresh && visit.signIn !== undefined) {
      if (visit.signIn.administrator.id !== administrator.id)
        throw new SignOnRefused(`${administrator.email} cannot confirm somebody else’s sign-in`);
      await store.recordReauthentication(visit.signIn.id);
      return { to: back ?? startPage(administrator) };
    }
    return startSignIn(site, visit, administrator, back, {
      pendingSecondFactor: false,
      reauthenticatedAtMs: authenticatedMs,
    });
  }

  return [
    { path: '/admin/sign-in/provider', for: 'everybody', show: depart },
    { path: '/admin/sign-in/provider/return', for: 'everybody', show: arrive },
  ];
}
