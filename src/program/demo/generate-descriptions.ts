/** Generates descriptions in the style of citizens' requests, from short complaints to papers of many pages. */

import type { Concern, TextTemplates, Topic } from './description-template-types.ts';
import type { Random } from './seeded-random.ts';

/** Replaces the placeholders of a sentence. In one text, the same kind always gives the same place. */
type FillPlaces = (sentence: string) => string;

type Shape = 'plain' | 'observed' | 'introduced' | 'headed' | 'brief' | 'letter' | 'twofold' | 'list';

const shapes: Readonly<Record<Shape, number>> = {
  plain: 20,
  observed: 17,
  introduced: 17,
  headed: 12,
  brief: 10,
  letter: 10,
  twofold: 8,
  list: 6,
};

/** @returns a short description about one topic */
export function writeDescription(random: Random, texts: TextTemplates, topic: Topic): string {
  const concern = random.pick(topic.concerns);
  const fill = createPlaceFiller(random, texts);
  const [headline, problem, request] = fillConcern(concern, fill);
  const reason = random.pick(topic.reasons);
  const observation = random.pick(texts.observations);

  switch (random.pickWeighted(shapes)) {
    case 'plain':
      return `${problem} ${request}`;
    case 'observed':
      return `${problem} ${random.nextBoolean(0.5) ? reason : observation} ${request}`;
    case 'introduced':
      return `${fill(random.pick(texts.introductions))} ${problem} ${reason} ${request}`;
    case 'headed':
      return `${headline}\n\n${problem} ${reason} ${request}`;
    case 'brief':
      return `${headline}. ${request}`;
    case 'letter':
      return [
        random.pick(texts.salutations),
        `${problem} ${observation} ${reason}`,
        `${request} ${random.pick(texts.closingSentences)}`,
        random.pick(texts.signOffs),
      ].join('\n\n');
    case 'twofold': {
      const other = random.pick(topic.concerns.filter((candidate) => candidate !== concern));
      const [, secondProblem, secondRequest] = fillConcern(other, createPlaceFiller(random, texts));
      return `${problem} ${request}\n\n${random.pick(texts.secondConcernIntroductions)} ${secondProblem} ${secondRequest}`;
    }
    case 'list': {
      const points = random.shuffle(topic.concerns).slice(0, random.nextInteger(3, 5));
      const headlines = points.map(([point]) => `– ${createPlaceFiller(random, texts)(point)}`);
      const introduction = `${fill(random.pick(texts.introductions))} ${random.pick(texts.listIntroductions)}`;
      return `${introduction}\n\n${headlines.join('\n')}\n\n${random.pick(texts.closingSentences)}`;
    }
  }
}

/** @returns a paper with numbered sections on all topics, slightly shorter than `length` characters */
export function writePositionPaper(random: Random, texts: TextTemplates, length: number): string {
  const sections = texts.topics.flatMap((topic) => topic.concerns.map((concern) => ({ topic, concern })));
  let text = random.pick(texts.positionPaperIntroductions);
  let number = 1;
  for (const { topic, concern } of random.shuffle(sections)) {
    const [headline, problem, request] = fillConcern(concern, createPlaceFiller(random, texts));
    const section = `${number}. ${headline}\n${problem} ${random.pick(topic.reasons)} ${request}`;
    if (text.length + 2 + section.length > length) break;
    text += `\n\n${section}`;
    number++;
  }
  return text;
}

function fillConcern([headline, problem, request]: Concern, fill: FillPlaces): Concern {
  return [fill(headline), fill(problem), fill(request)];
}

function createPlaceFiller(random: Random, texts: TextTemplates): FillPlaces {
  const chosen = new Map<string, string>();

  const pick = (kind: string) => {
    const places = texts.places[kind];
    if (places === undefined) throw new Error(`No places of the kind "${kind}".`);
    return random.pick(places);
  };

  return (sentence) =>
    capitalize(
      sentence.replace(
        /(?:(?<!\p{L})(\p{L}+) )?\{(\p{L}+)\}/gu,
        (_match, before: string | undefined, kind: string) =>
          joinPlace(texts, before, chosen.getOrInsertComputed(kind, pick)),
      ),
    );
}

function joinPlace(texts: TextTemplates, before: string | undefined, place: string): string {
  if (before === undefined) return place;
  const [article, ...rest] = place.split(' ');
  const contraction = texts.contractions[`${before.toLowerCase()} ${article}`];
  if (contraction === undefined) return `${before} ${place}`;
  const fitting = before === before.toLowerCase() ? contraction : capitalize(contraction);
  return [fitting, ...rest].join(' ');
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
