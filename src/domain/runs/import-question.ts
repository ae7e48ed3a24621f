/**
 * Questions that an import asks before it writes anything. It ends unless a person has confirmed: in the admin area after the dry
 * run, on the command line with a flag. A schedule cannot confirm.
 */

/** Each is the code of a reason, which has its sentence. */
export const importQuestions = ['removes-many', 'repeats-published'] as const;
export type ImportQuestion = (typeof importQuestions)[number];
