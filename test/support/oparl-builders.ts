/** OParl objects as a council information system gives them, for one made-up body. */

export const address = (kind: string, id: number | string) => `https://rat.example.org/oparl/${kind}/${id}`;
const type = (name: string) => `https://schema.oparl.org/1.1/${name}`;

// biome-ignore lint/suspicious/noExplicitAny: OParl allows any vendor's field
type Fields = Record<string, any>;

/** A motion with one consultation of the same number. */
export const paper = (id: number, fields: Fields = {}) => ({
  id: address('papers', id),
  type: type('Paper'),
  name: `Antrag ${id}`,
  reference: `2026/${id}`,
  date: '2026-02-01',
  paperType: 'Antrag',
  consultation: [{ id: address('consultations', id), type: type('Consultation') }],
  ...fields,
});

/** An item that treats the paper of that number. */
export const item = (paperId: number, fields: Fields = {}) => ({
  id: address('agendaitems', paperId),
  type: type('AgendaItem'),
  consultation: address('consultations', paperId),
  ...fields,
});

export const meeting = (id: number, fields: Fields = {}) => ({
  id: address('meetings', id),
  type: type('Meeting'),
  name: 'Gemeinderat',
  start: '2026-03-17T16:30:00+01:00',
  end: '2026-03-17T18:45:00+01:00',
  created: '2026-01-05T08:00:00+01:00',
  ...fields,
});

export const organization = (id: number, name: string) => ({
  id: address('organizations', id),
  type: type('Organization'),
  name,
});

export const file = (accessUrl: string, fields: Fields = {}) => ({
  id: `${accessUrl}#`,
  type: type('File'),
  accessUrl,
  ...fields,
});
