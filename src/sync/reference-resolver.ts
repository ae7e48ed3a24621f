/** Asks for what objects refer to: each address once in a run, and what it refers to after it. */

import type { OparlObject } from '../import/formats/oparl/pending-objects.ts';
import { InputError } from '../import/parsed-record.ts';
import { type HttpClient, InaccessibleError, NotFoundError, UpstreamError } from './http-client.ts';
import type { Entry } from './oparl-endpoint.ts';
import { agendaItemType } from './project-objects.ts';
import type { Reference, References } from './reference-tracker.ts';

/** Of references that led nowhere in earlier runs, so many are asked for again in each. */
const askedAgain = 100;

/** A server that fails at more references than that is out of order, and the run with it. */
const toleratedFailures = 5;

export interface Following {
  /** Asks for what the objects of this run refer to, and for what that refers to. @throws InputError */
  askForWanted(): Promise<void>;
  /**
   * Asks for some of what was not there in earlier runs: it may have been missing for a day. Which ones is left to
   * chance, so that in time each has its turn.
   */
  askAgain(dangling: readonly Reference[]): Promise<void>;
  /** Addresses that led nowhere. */
  nowhere: ReadonlySet<string>;
  /** Those of them of which the server did not say that there is nothing; to be taken out by whoever knows what is there. */
  withheld: Set<string>;
}

/** @param keep takes in what was found */
export function createFollowing(
  requests: HttpClient,
  references: References,
  keep: (entry: Entry) => Promise<void>,
): Following {
  const asked = new Set<string>();
  const nowhere = new Set<string>();
  const withheld = new Set<string>();
  let failures = 0;

  async function askForWanted(): Promise<void> {
    for (let wanted = references.wanted(); wanted.length > 0; wanted = references.wanted())
      for (const reference of wanted) await askFor(reference);
  }

  async function askFor({ address, meeting }: Reference): Promise<void> {
    if (asked.has(address)) return;
    asked.add(address);
    const answer = await objectAt(address);
    const isThere = typeof answer === 'object';
    if (isThere) await keepAt(address, meeting === undefined ? answer : { ...answer, meeting });
    else if (answer === 'missing' && references.leads(address)) await keepAt(address, goneAgendaItem);
    // It may be one that says it was deleted, or nothing that could be needed.
    if (isThere && references.leads(address)) nowhere.delete(address);
    else nowhere.add(address);
    if (answer === 'withheld') withheld.add(address);
  }

  /** Referred to by this address, an object has to be found under it, whatever it calls itself. */
  const keepAt = (address: string, object: Record<string, unknown>) =>
    keep({ value: { ...object, id: address }, source: address, entry: 1 });

  /** @throws InputError when the server cannot tell now */
  async function objectAt(address: string): Promise<Record<string, unknown> | 'missing' | 'withheld'> {
    if (!mayAsk(address)) return 'withheld';
    try {
      const { value } = await requests.json(new URL(address));
      return isOfAType(value) ? value : 'withheld';
    } catch (error) {
      if (error instanceof NotFoundError) return 'missing';
      if (error instanceof InaccessibleError || (error instanceof UpstreamError && mayFail(address)))
        return 'withheld';
      throw error;
    }
  }

  const mayAsk = (address: string): boolean => URL.canParse(address) && requests.mayAsk(new URL(address));

  /**
   * One broken object must not keep all others out. Of an agenda item that is known, though, later runs would not ask
   * what has changed.
   */
  function mayFail(address: string): boolean {
    failures += 1;
    return failures <= toleratedFailures && !references.leads(address);
  }

  return {
    nowhere,
    withheld,
    askForWanted,
    askAgain: async (dangling) => {
      const left = dangling.filter(({ address }) => !asked.has(address) && !references.leads(address));
      for (const { address } of left) nowhere.add(address);
      try {
        for (const reference of shuffled(left.filter(({ address }) => mayAsk(address))).slice(0, askedAgain))
          await askFor(reference);
        await askForWanted();
      } catch (error) {
        // The run is complete without them: neither a fault of theirs nor the bound on requests ends it.
        if (!(error instanceof InputError)) throw error;
      }
    },
  };
}

/** Of what is known, nothing but agenda items is asked for: they may have changed with their meeting. */
const goneAgendaItem = { type: agendaItemType, deleted: true };

const isOfAType = (value: unknown): value is Record<string, unknown> =>
  typeof (value as OparlObject | null)?.type === 'string';

const shuffled = <Value>(values: readonly Value[]): Value[] =>
  values
    .map((value) => ({ value, turn: Math.random() }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ value }) => value);
