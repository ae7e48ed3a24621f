/** The surveys of Marlow Heath. */
import type { SurveyDefinition } from '../municipality-profile.ts';

export const englishSurveys: readonly SurveyDefinition[] = [
  {
    title: 'Getting around Marlow Heath',
    status: 'closed',
    totalResponses: 1_486,
    questions: [
      {
        text: 'How do you usually travel into the centre?',
        type: 'single_choice',
        options: ['On foot', 'By bicycle 🚲', 'By bus', 'By car', 'By mobility scooter'],
      },
      {
        text: 'Which of these would you use if they existed? (Tick all that apply.)',
        type: 'multiple_choice',
        options: ['A later last bus', 'A secure bike hub', 'Park and ride', 'Car club', 'None of these'],
      },
      {
        text: 'How safe do you feel crossing the Market Place?\n(1 = not at all, 5 = completely)',
        type: 'scale',
        options: ['1', '2', '3', '4', '5'],
      },
      { text: 'Anything else you would like to tell us?', type: 'text', options: [] },
    ],
  },
  {
    title: 'The future of Heath Common',
    status: 'active',
    totalResponses: 112,
    questions: [
      {
        text: 'How satisfied are you?',
        type: 'matrix',
        rows: ['Cleanliness', 'Play areas', 'Paths', 'The café'],
        options: ['😀 satisfied', '😐 neither', '🙁 dissatisfied'],
      },
      {
        text: 'Put these in order of importance.',
        type: 'ranking',
        options: ['More trees', 'Better lighting', 'A new playground', 'Toilets', 'Pétanque pitch'],
      },
    ],
  },
  {
    title: 'Library opening hours',
    status: 'archived',
    totalResponses: 2_071,
    questions: [
      {
        text: 'When would you most like the library to be open?',
        type: 'single_choice',
        options: ['Weekday mornings', 'Weekday evenings', 'Saturdays', 'Sundays', 'I do not use the library'],
      },
      { text: 'Which book changed your mind about something?', type: 'text', options: [] },
    ],
  },
  {
    title: 'Naming the new footbridge',
    status: 'active',
    totalResponses: 0,
    questions: [
      {
        text: 'Which name do you like best?',
        type: 'single_choice',
        options: ['Swan Bridge 🦢', 'Tanner’s Crossing', 'Weaver’s Span', 'The Café Bridge'],
      },
    ],
  },
  {
    title: 'Draft: council budget priorities 2027',
    status: 'draft',
    totalResponses: 0,
    questions: [
      {
        text: 'Where should the council spend more?',
        type: 'ranking',
        options: ['Roads', 'Social care', 'Parks', 'Libraries', 'Housing'],
      },
    ],
  },
];
