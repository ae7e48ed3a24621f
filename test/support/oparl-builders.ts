/** OParl objects of a fictitious body. */

export const composeUrl = (kind: string, id: number | string) =>
  `https://rat.example.org/oparl/${kind}/${id}`;
export const composeType = (name: string) => `https://schema.oparl.org/1.1/${name}`;

// biome-ignore lint/suspicious/noExplicitAny: OParl allows vendor-specific fields
type Fields = Record<string, any>;

/** A motion with one consultation, both with this number. */
export const createPaper = (id: number, fields: Fields = {}) => ({
  id: composeUrl('papers', id),
  type: composeType('Paper'),
  name: `Antrag ${id}`,
  reference: `2026/${id}`,
  date: '2026-02-01',
  paperType: 'Antrag',
  consultation: [{ id: composeUrl('consultations', id), type: composeType('Consultation') }],
  ...fields,
});

/** The consultation of the paper with this number, as an object of its own. */
export const createConsultation = (paperId: number) => ({
  id: composeUrl('consultations', paperId),
  type: composeType('Consultation'),
  paper: composeUrl('papers', paperId),
});

/** An agenda item about the paper with this number. */
export const createItem = (paperId: number, fields: Fields = {}) => ({
  id: composeUrl('agendaitems', paperId),
  type: composeType('AgendaItem'),
  consultation: composeUrl('consultations', paperId),
  ...fields,
});

export const createMeeting = (id: number, fields: Fields = {}) => ({
  id: composeUrl('meetings', id),
  type: composeType('Meeting'),
  name: 'Gemeinderat',
  start: '2026-03-17T16:30:00+01:00',
  end: '2026-03-17T18:45:00+01:00',
  created: '2026-01-05T08:00:00+01:00',
  ...fields,
});

export const createOrganization = (id: number, name: string) => ({
  id: composeUrl('organizations', id),
  type: composeType('Organization'),
  name,
});

export const createFile = (accessUrl: string, fields: Fields = {}) => ({
  id: `${accessUrl}#`,
  type: composeType('File'),
  accessUrl,
  ...fields,
});
