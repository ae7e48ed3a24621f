/** Translations of the values that the API's contract recommends; English has none. */
const values: Record<string, string> = {};

export const apiValues = { apiValues: values };
