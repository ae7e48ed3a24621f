/** Countries that write 03/04 for the fourth of March: the United States, its territories and associated states, and the Philippines. */
const monthFirstCountries = new Set('US AS FM GU MH MP PR PW UM VI PH'.split(' '));

/** Whether 03/04 is in March. @param country ISO 3166-1 code */
export const writesMonthFirst = (country: string): boolean => monthFirstCountries.has(country);
