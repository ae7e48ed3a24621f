/** A mirror cannot be updated. The message is for the operator and names the remedy. */
export class MirrorError extends Error {}

/** The target is not a mirror, or a mirror of other data: a run must not change it. */
export class MirrorTargetError extends MirrorError {}

/** The command was called in a wrong way. */
export class MirrorUsageError extends MirrorError {}
