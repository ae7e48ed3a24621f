/** Replaces `isolated-vm`: see directus.ts. */
export default {};
