/** Which statuses of a survey mean that it is not public yet, in the languages of the vocabulary. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

const drafts = [
  ...[
    'not yet published',
    'not_published',
    'notPublished',
    'hasn’t been – not published',
    'unpublished',
    'unreleased',
  ],
  ...[
    'planned',
    'In Planning',
    'scheduled',
    'in preparation',
    'being prepared',
    'eNTWURF',
    'draft, not public',
  ],
  ...[
    'nicht veröffentlicht',
    'NICHT-VERÖFFENTLICHT',
    'noch nicht freigegeben',
    'unveroeffentlicht',
    'depubliziert',
  ],
  ...[
    'geplante Umfrage',
    'in Planung',
    'inVorbereitung',
    'wird vorbereitet',
    'vorgesehen',
    'nicht öffentlich – Entwurf',
  ],
  ...[
    'pas encore publié',
    'n’est pas publiée',
    'n’a pas été publié',
    'inédit',
    'prévu',
    'planifiée',
    'en préparation',
  ],
  ...[
    'aún no publicado',
    'no se ha publicado',
    'sin publicar',
    'inédita',
    'previsto',
    'planificado',
    'en preparación',
  ],
  ...['encara no publicada', 'sense publicar', 'inèdita', 'previst', 'planificada', 'en preparació'],
  ...[
    'non ancora pubblicato',
    'non è stata pubblicata',
    'inedito',
    'previsto',
    'pianificata',
    'in preparazione',
  ],
  ...['nog niet gepubliceerd', 'ongepubliceerd', 'niet openbaar', 'gepland', 'ingepland', 'in voorbereiding'],
  ...[
    'nie opublikowano',
    'nie została opublikowana',
    'nieopublikowana',
    'planowana',
    'zaplanowane',
    'w przygotowaniu',
  ],
];

const publicStatuses = [
  ...[
    'active',
    'published',
    'Public',
    'released',
    'unplanned',
    'not in preparation',
    'no longer a draft',
    'not planned',
  ],
  ...[
    'veröffentlicht',
    'freigegeben',
    'ungeplant',
    'kein Entwurf',
    'nicht mehr in Vorbereitung',
    'abgeschlossen',
  ],
  ...[
    'Veröffentlicht (nicht mehr im Entwurf)',
    'publié',
    'imprévu',
    'n’est plus un brouillon',
    'publicado',
    'imprevisto',
  ],
  ...[
    'publicada',
    'pubblicato',
    'non più in preparazione',
    'gepubliceerd',
    'niet meer in voorbereiding',
    'opublikowano',
  ],
];

const createSurvey = (status: string, index: number) => ({
  ...{ kind: 'survey', surveyId: `s${index}`, title: 'S', status, totalResponses: 0, questions: [] },
});

test('surveys are published unless their status says draft, unpublished, planned or in preparation', async () => {
  const town = await harness.createMunicipality();
  const statuses = [...drafts, ...publicStatuses];
  const result = await harness.importContent(town, toNdjson(statuses.map(createSurvey)));
  assertCounts(result, { inserted: statuses.length });
  const listed = (await harness.listAll(town, '/surveys')).map(({ status }) => status);
  assert.deepEqual(listed.sort(), [...publicStatuses].sort());
});

test('surveys whose status says private, hidden or deleted are removed', async () => {
  const town = await harness.createMunicipality();
  const statuses = ['private', 'vertraulich', 'hidden', 'gelöscht'];
  const publish = (choose: (status: string) => string) =>
    harness.importContent(
      town,
      toNdjson(statuses.map((status, index) => createSurvey(choose(status), index))),
    );
  assertCounts(await publish(() => 'active'), { inserted: statuses.length });
  assertCounts(await publish((status) => status), { removed: statuses.length });
  assert.deepEqual(await harness.listAll(town, '/surveys'), []);
});
