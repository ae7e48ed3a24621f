/** Set by `npm run test:nightly`, in which tests repeat more often. The runner finds the files that import this one. */
export const isNightly = process.env.ROSTRA_TEST_NIGHTLY !== undefined;
