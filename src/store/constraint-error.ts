/** Whether a statement violated a constraint: SQLSTATE class 23, or SQLITE_CONSTRAINT. */
export const isConstraintError = ({ code = '' }: { code?: string }): boolean =>
  /^(23|SQLITE_CONSTRAINT)/.test(code);
