/** Words for the values that the API's contract recommends, if they differ from the values. */
export const apiValues: Readonly<Record<string, string>> = {
  in_review: 'in review',
  single_choice: 'single choice',
  multiple_choice: 'multiple choice',
};
