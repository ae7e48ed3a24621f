/** Words for the values that the API's contract recommends, if they differ from the values. */
const values: Record<string, string> = {
  in_review: 'in review',
  single_choice: 'single choice',
  multiple_choice: 'multiple choice',
};

export const apiValues = { apiValues: values };
