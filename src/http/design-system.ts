/**
 * @param name path of a file of KERN, the design system of the German administration
 * @returns the name of the asset
 */
export const findDesignSystemFile = (name: string): string => `node_modules/@kern-ux/native/dist/${name}`;
