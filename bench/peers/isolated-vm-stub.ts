/** In place of `isolated-vm`, see directus.ts. */
export default {};
