import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

import { type Fields, toProperties } from '../../src/contract/field.ts';
import { limits } from '../../src/contract/field-schemas.ts';
import { DocumentLink, Point } from '../../src/contract/resources/extension-fields.ts';

import { sessionFields } from '../../src/contract/resources/session.ts';
import { submissionFields } from '../../src/contract/resources/submission.ts';
import { SurveyOption, SurveyQuestion, SurveyResults } from '../../src/contract/resources/survey.ts';
import type {
  ImportRecord,
  SessionRecord,
  SubmissionRecord,
  SurveyRecord,
} from '../../src/domain/records/records.ts';
import {
  type DemoMunicipality,
  demoMunicipalities,
} from '../../src/program/demo/generate-demo-municipalities.ts';

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const now = '2026-11-01T08:00:00.000Z';
const decided = ['accepted', 'rejected', 'completed'];

interface Everything {
  records: ImportRecord[];
  submissions: SubmissionRecord[];
  sessions: SessionRecord[];
  surveys: SurveyRecord[];
}

const sorted = (records: ImportRecord[]): Everything => ({
  records,
  submissions: records.filter((record) => record.kind === 'submission'),
  sessions: records.filter((record) => record.kind === 'session'),
  surveys: records.filter((record) => record.kind === 'survey'),
});

const hash = (municipality: DemoMunicipality) =>
  createHash('sha256')
    .update(JSON.stringify([...municipality.records()]))
    .digest('hex');

const groupSizes = <Item>(items: readonly Item[], key: (item: Item) => unknown) =>
  [...Map.groupBy(items, key).values()].map((group) => group.length);

/** Checks a value against a schema, without the schemas that its properties refer to. */
function checker(schema: TSchema) {
  const compiled = Compile(schema);
  return (value: unknown) => {
    if (!compiled.Check(value)) {
      assert.fail(`${JSON.stringify(compiled.Errors(value))} in ${JSON.stringify(value).slice(0, 500)}`);
    }
  };
}

const checkFields = (fields: Fields) =>
  checker(
    Type.Object(
      {
        ...toProperties(fields),
        documents: Type.Array(DocumentLink, { maxItems: limits.documents }),
        ...('location' in fields && { location: Type.Union([Point, Type.Null()]) }),
      },
      { additionalProperties: false },
    ),
  );

const withoutReferences = (schema: { properties: object }, property: string): TSchema => ({
  ...schema,
  properties: { ...schema.properties, [property]: { type: 'array', maxItems: 1_000 } },
});

it('has exactly two municipalities, and they differ', () => {
  assert.equal(demoMunicipalities.length, 2);
  assert.equal(new Set(demoMunicipalities.map(({ id }) => id)).size, 2);
  assert.equal(new Set(demoMunicipalities.map(({ name }) => name)).size, 2);
  assert.equal(new Set(demoMunicipalities.map(hash)).size, 2);
});

it('shares no id between municipalities', () => {
  const ids = demoMunicipalities.flatMap((municipality) =>
    [...municipality.records()].map((record) => (record.kind === 'survey' ? record.surveyId : record.id)),
  );
  assert.equal(new Set(ids).size, ids.length);
});

const sizes = [4_000, 1_500];

demoMunicipalities.forEach((municipality, position) => {
  describe(municipality.name, () => {
    const { records, submissions, sessions, surveys } = sorted([...municipality.records()]);
    const byId = new Map(submissions.map((submission) => [submission.id, submission]));
    const descriptions = submissions.map(({ description }) => description);

    const some = (what: string, matches: (submission: SubmissionRecord) => boolean, atLeast = 1) => {
      const found = submissions.filter(matches).length;
      assert.ok(found >= atLeast, `${what}: ${found} of at least ${atLeast}`);
      assert.ok(found < submissions.length, `${what}: all of them`);
    };

    it('is the same at every run', () => {
      assert.equal(hash(municipality), hash(municipality));
    });

    it('brings submissions, then sessions, then surveys', () => {
      const kinds = records.map(({ kind }) => kind);
      assert.deepEqual([...new Set(kinds)], ['submission', 'session', 'survey']);
      assert.equal(kinds.lastIndexOf('submission') + 1, kinds.indexOf('session'));
      assert.equal(kinds.lastIndexOf('session') + 1, kinds.indexOf('survey'));
      assert.equal(submissions.length, sizes[position]);
    });

    it('keeps the contract of submissions', () => {
      const check = checkFields(submissionFields);
      for (const record of submissions) {
        const { kind: _kind, ...submission } = record as SubmissionRecord & { kind: string };
        check(submission);
      }
    });

    it('keeps the contract of sessions', () => {
      const check = checkFields(sessionFields);
      for (const record of sessions) {
        const { kind: _kind, submissions: agenda, ...session } = record as SessionRecord & { kind: string };
        assert.ok(agenda);
        check({ ...session, submissionCount: agenda.length });
      }
    });

    it('keeps the contract of survey results', () => {
      const checkSurvey = checker(withoutReferences(SurveyResults, 'questions'));
      const checkQuestion = checker(withoutReferences(SurveyQuestion, 'options'));
      const checkOption = checker(SurveyOption);
      for (const survey of surveys) {
        checkSurvey(survey);
        for (const question of survey.questions) {
          checkQuestion(question);
          question.options.forEach(checkOption);
        }
      }
    });

    it('has unique ids and reference numbers', () => {
      const ids = [...submissions.map(({ id }) => id), ...sessions.map(({ id }) => id)];
      const surveyIds = surveys.map(({ surveyId }) => surveyId);
      assert.equal(new Set([...ids, ...surveyIds]).size, records.length);
      const numbers = submissions.flatMap(({ referenceNumber }) => referenceNumber ?? []);
      assert.equal(new Set(numbers).size, numbers.length);
    });

    it('names only existing submissions in sessions, each once', () => {
      for (const { submissions: agenda = [], date } of sessions) {
        assert.equal(new Set(agenda).size, agenda.length);
        assert.ok(agenda.length <= 25);
        for (const id of agenda) assert.ok((byId.get(id)?.createdAt ?? '9999') < date);
      }
    });

    it('has every status, every priority, and every topic', () => {
      const words = (key: 'status' | 'priorityLevel') => [...new Set(submissions.map((one) => one[key]))];
      assert.deepEqual(words('status').sort(), [
        'accepted',
        'completed',
        'in_review',
        'received',
        'rejected',
        'submitted',
        'withdrawn',
      ]);
      assert.deepEqual(words('priorityLevel').sort(), ['high', 'low', 'normal', 'urgent']);
      assert.ok(new Set(submissions.map(({ topicCategoryName }) => topicCategoryName)).size > 12);
    });

    it('has every nullable field both ways', () => {
      some('no reference number', ({ referenceNumber }) => referenceNumber === null, 20);
      some('no topic', ({ topicCategoryName }) => topicCategoryName === null, 20);
      some('no protocol', ({ protocolUrl }) => protocolUrl === null, 20);
      some('attachments', ({ hasAttachments }) => hasAttachments, 20);
      some('documents', ({ documents }) => documents.length > 0, 20);
      const slots = new Set(sessions.map(({ timeSlot }) => timeSlot?.length));
      assert.deepEqual(slots, new Set([undefined, 5, 11]));
    });

    it('has support from nobody to tens of thousands, mostly little', () => {
      const counts = submissions.map(({ supportCount }) => supportCount).sort((one, other) => one - other);
      assert.equal(counts[0], 0);
      assert.ok((counts.at(-1) ?? 0) > 10_000);
      assert.ok((counts[Math.floor(counts.length / 2)] ?? 0) < 100);
    });

    it('changes a status after the submission, or at its creation while it is only submitted', () => {
      for (const { status, createdAt, statusChangedAt } of submissions) {
        assert.ok(createdAt < now);
        if (!timestamp.test(statusChangedAt)) assert.equal(statusChangedAt, status);
        else if (status === 'submitted') assert.equal(statusChangedAt, createdAt);
        else assert.ok(statusChangedAt > createdAt && statusChangedAt <= now);
      }
      some('a word instead of a time', ({ statusChangedAt }) => !timestamp.test(statusChangedAt), 5);
    });

    it('publishes minutes only of past sessions that decided, on an example domain', () => {
      const sessionsOf = new Map<string, SessionRecord[]>();
      for (const session of sessions) {
        for (const id of session.submissions ?? []) {
          sessionsOf.set(id, [...(sessionsOf.get(id) ?? []), session]);
        }
      }
      for (const { id, status, protocolUrl } of submissions) {
        if (protocolUrl === null) continue;
        assert.ok(decided.includes(status));
        assert.match(new URL(protocolUrl).hostname, /\.example$/);
        const dates = (sessionsOf.get(id) ?? []).map(({ date }) => date);
        assert.ok(dates.some((date) => date < now && protocolUrl.includes(date)));
      }
      const settled = submissions.filter(({ status }) => decided.includes(status));
      const inSession = settled.filter(({ id }) => sessionsOf.get(id)?.some(({ date }) => date < now));
      assert.ok(inSession.length > settled.length * 0.8);
    });

    it('has submissions on two agendas, a committee without any, and sessions to come', () => {
      assert.ok(
        groupSizes(
          sessions.flatMap(({ submissions: agenda = [] }) => agenda),
          String,
        ).includes(2),
      );
      const committees = [...Map.groupBy(sessions, ({ committeeName }) => committeeName).values()];
      assert.ok(committees.length >= 6);
      const load = committees.map((held) => held.flatMap(({ submissions: agenda = [] }) => agenda).length);
      assert.equal(load.filter((entries) => entries === 0).length, 1);
      assert.ok(sessions.filter(({ date }) => date > now).length >= 3);
      assert.ok(new Set(sessions.map(({ date }) => date.slice(0, 4))).size >= 4);
    });

    it('has ties in both list orders', () => {
      const sameMoment = groupSizes(submissions, ({ createdAt }) => createdAt);
      assert.ok(sameMoment.filter((size) => size >= 20).length >= 3);
      const sameDate = groupSizes(sessions, ({ date }) => date);
      assert.ok(sameDate.filter((size) => size >= 2).length >= 10);
    });

    it('has texts of every length, script and symbol', () => {
      const containing = (what: string, pattern: RegExp, atLeast = 1) =>
        some(what, ({ description }) => pattern.test(description), atLeast);
      containing('Arabic', /\p{Script=Arabic}/u);
      containing('Hebrew', /\p{Script=Hebrew}/u);
      containing('emoji', /\p{Extended_Pictographic}/u, 10);
      containing('combining characters', /\p{L}\p{M}/u);
      containing('markup as text', /<b>|&amp;/);
      containing('quotation marks', /[„“”]/u, 10);
      containing('line breaks', /\n/, 100);
      containing('letters beyond ASCII', /[äöüßéŵ’]/u, 20);
      containing('one word', /^\S+$/u, 3);
      const long = descriptions.filter(({ length }) => length >= 5_000);
      assert.ok(long.length >= 4 && long.every(({ length }) => length <= 20_000));
      assert.ok(long.some(({ length }) => length > 15_000));
    });

    it('repeats few texts, and leaves no gap in any', () => {
      assert.ok(new Set(descriptions).size > descriptions.length * 0.85);
      for (const description of descriptions) {
        assert.doesNotMatch(description, /[{}]|undefined|null/);
        assert.equal(description, description.trim());
      }
    });

    it('has surveys of every status and questions of every type', () => {
      assert.ok(surveys.length >= 4 && surveys.length <= 6);
      const statuses = new Set(surveys.map(({ status }) => status));
      assert.deepEqual(statuses, new Set(['closed', 'active', 'archived', 'draft']));
      assert.equal(surveys.filter(({ status }) => status === 'draft').length, 1);
      assert.ok(surveys.some(({ status, totalResponses }) => status !== 'draft' && totalResponses === 0));
      const questions = surveys.filter(({ status }) => status !== 'draft').flatMap((one) => one.questions);
      assert.deepEqual([...new Set(questions.map(({ questionType }) => questionType))].sort(), [
        'matrix',
        'multiple_choice',
        'ranking',
        'scale',
        'single_choice',
        'text',
      ]);
      for (const { questionType, options } of questions) {
        assert.equal(options.length === 0, questionType === 'text');
      }
      const options = questions.flatMap((question) => question.options.map(({ optionText }) => optionText));
      assert.ok(options.some((text) => /\p{Extended_Pictographic}/u.test(text)));
      assert.ok(options.some((text) => /[äöüßé]/u.test(text)));
    });

    it('has survey results in the shapes of imports: a question for each row and rank, small counts combined', () => {
      const questions = surveys.flatMap((survey) => survey.questions);
      const ofType = (type: string) => questions.filter(({ questionType }) => questionType === type);
      for (const { questionText, options } of [...ofType('matrix'), ...ofType('ranking')]) {
        assert.match(questionText, /\S – \S/);
        assert.ok(options.every(({ optionText }) => !optionText.includes(': ')));
      }
      assert.ok(ofType('ranking').length > 4);
      const combined = questions.filter(({ options }) =>
        /^(Weitere Antworten|Other answers)$/.test(options.at(-1)?.optionText ?? ''),
      );
      assert.ok(combined.length > 0);
    });

    it('counts survey responses consistently, and none below the anonymity threshold', () => {
      for (const { totalResponses, questions } of surveys) {
        for (const { questionType, options } of questions) {
          const counts = options.map(({ responseCount }) => responseCount);
          for (const count of counts) {
            assert.ok(count === 0 || count >= 10);
            assert.ok(count <= totalResponses);
          }
          if (!['single_choice', 'scale', 'matrix', 'ranking'].includes(questionType)) continue;
          const sum = counts.reduce((total, count) => total + count, 0);
          assert.ok(sum <= totalResponses);
          assert.equal(sum > 0, totalResponses > 0 && options.length > 0);
        }
      }
    });
  });
});
