/** Why entries are left out, as clauses or as sentences on a format. */

export const ignored = {
  'record-repeated': 'the same input contains this record before',
  'removal-absent': 'the record to remove is not published',
  'row-skipped': 'the mapping skips such rows',
  'sessions-cancelled': 'cancelled sessions',
  'objects-deleted': 'objects marked as deleted',
  'papers-of-other-types': 'papers whose type is not that of a submission',
  'meetings-cancelled': 'deleted or cancelled meetings',
  'relations-read': 'organizations, consultations and agenda items, which are read for sessions and statuses',
  'proposal-unpublished': 'the proposal is not published',
  'omitted-consul':
    'Column names may be in English, German or Spanish. A proposal with `hidden_at` was taken down, and is removed; one with an empty `published_at` is a draft, and ignored. Authors, e-mail addresses, comments, coordinates and all other data are not imported.',
  'omitted-decidim':
    'Authors, endorsements by name, followers, addresses, coordinates, answers and all other data are not imported.',
  'omitted-icalendar':
    'Private events, places, descriptions, organizers, attendees, attachments and all other data are not imported.',
  'omitted-oparl': 'Names of people, places and files, and all other data, are not imported.',
  'omitted-open311':
    'Coordinates, addresses, reporters, responsible people, status notes and all other data are not imported.',
  'omitted-pabulib': 'Costs, coordinates, target groups, voters and all other data are not imported.',
  'omitted-rostra': 'Records with an unknown field are rejected, because it is probably misspelt.',
  'omitted-survey-responses':
    'Responses, free text, ids, names, addresses, times and counts below the threshold are not stored.',
  'omitted-survey-table': 'All other data is not read. Counts below the threshold are not stored.',
  'omitted-table': 'Columns that the mapping does not name are not imported.',
};
