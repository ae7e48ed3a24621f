import type { AnyReason } from '../../domain/reasons/sentence-types.ts';

/** More failures with one cause are one line: the reader needs the cause, and "rostra source list" has the names. */
const maxListed = 10;

/** @returns the codes of a reason and of the reasons in it, which failures with the same cause have in common */
export const nameCause = (reason: AnyReason): string =>
  'problem' in reason ? `${reason.code} ${nameCause(reason.problem as AnyReason)}` : reason.code;

/** @returns groups with the same cause; a failure that few others have alone */
export const groupFailures = <Failure>(
  failures: readonly Failure[],
  findCause: (failure: Failure) => string,
): (readonly [Failure, ...Failure[]])[] =>
  [...Map.groupBy(failures, findCause).values()].flatMap(
    (group) =>
      (group.length > maxListed ? [group] : group.map((each) => [each])) as [Failure, ...Failure[]][],
  );

/** @returns for example `1000 sources of 800 municipalities` */
export function countSources(sources: readonly { organizationId: string }[]): string {
  const { size } = new Set(sources.map(({ organizationId }) => organizationId));
  return `${sources.length} sources of ${size === 1 ? 'one municipality' : `${size} municipalities`}`;
}
