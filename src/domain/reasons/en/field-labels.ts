/** The names of fields on pages and in emails, with hints for people who choose the column of a table. */

export const submissionFields = {
  id: {
    label: 'Identifier',
    hint: 'Identifies a record. Each row needs its own identifier, which must stay the same in the next file.',
  },
  referenceNumber: {
    label: 'Reference number',
    hint: 'The number that citizens know, such as a case number.',
  },
  description: {
    label: 'Text',
    hint: 'The title or text of the submission. With a second column, both texts are published one below the other.',
  },
  status: {
    label: 'Status',
    hint: 'How far the submission has been processed. Without a column, every submission is “submitted”.',
  },
  topicCategoryName: { label: 'Topic', hint: 'Category or subject.' },
  priorityLevel: { label: 'Priority', hint: 'Urgency. Without a column: normal.' },
  supportCount: { label: 'Supporters', hint: 'Number of people who support the submission.' },
  hasAttachments: {
    label: 'Attachments',
    hint: 'Whether there are pictures or documents: yes, where the cell is filled.',
  },
  protocolUrl: { label: 'Minutes', hint: 'Link to the minutes of the decision.' },
  createdAt: { label: 'Submitted', hint: 'Day or time of the submission.' },
  statusChangedAt: {
    label: 'Status changed',
    hint: 'Day or time of the last change. Without a column: the time of the submission.',
  },
  title: { label: 'Title', hint: 'Only the title. The text is published as a whole, too.' },
  sourceUrl: { label: 'Source', hint: 'Link to the page of the submission in the system it comes from.' },
  answer: { label: 'Answer', hint: 'What the municipality replied to the submission.' },
  sourceStatus: {
    label: 'Status in the source',
    hint: 'Status or result in the words of the source. Without a column: the cell of the status.',
  },
  documents: {
    label: 'Documents',
    hint: 'Addresses of documents in the system of the source. They are linked, not copied.',
  },
  location: {
    label: 'Location',
    hint: 'Coordinates of the place. They are published only if the municipality and the source allow it.',
  },
};

export const sessionFields = {
  id: 'Identifier',
  committeeName: 'Committee',
  date: 'Date',
  timeSlot: 'Time',
  submissionCount: 'Submissions on the agenda',
  createdAt: 'Recorded',
  submissions: 'Agenda',
  title: 'Title',
  sourceUrl: 'Source',
  place: 'Place',
  documents: 'Documents',
};

export const surveyFields = {
  surveyId: 'Identifier',
  title: 'Title',
  status: 'Status',
  totalResponses: 'Responses',
  endedOn: 'Ended on',
  year: 'Year',
  questions: 'Questions',
  questionText: 'Question',
};
