/** Texts as people write them to their municipality: some in a hurry, some over many pages. */
import type { Random } from './seeded-random.ts';
import type { Concern, Topic, Vocabulary } from './vocabulary.ts';

/** Puts places into sentences of one text, so that a street named twice is the same street. */
type Scene = (sentence: string) => string;

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

/** A description of everyday length about one topic. */
export function describe(random: Random, words: Vocabulary, topic: Topic): string {
  const concern = random.pick(topic.concerns);
  const scene = createScene(random, words);
  const [headline, problem, request] = concern.map(scene) as unknown as Concern;
  const reason = random.pick(topic.reasons);
  const observation = random.pick(words.observations);

  switch (random.weighted(shapes)) {
    case 'plain':
      return `${problem} ${request}`;
    case 'observed':
      return `${problem} ${random.chance(0.5) ? reason : observation} ${request}`;
    case 'introduced':
      return `${scene(random.pick(words.openings))} ${problem} ${reason} ${request}`;
    case 'headed':
      return `${headline}\n\n${problem} ${reason} ${request}`;
    case 'brief':
      return `${headline}. ${request}`;
    case 'letter':
      return [
        random.pick(words.salutations),
        `${problem} ${observation} ${reason}`,
        `${request} ${random.pick(words.closings)}`,
        random.pick(words.greetings),
      ].join('\n\n');
    case 'twofold': {
      const other = random.pick(topic.concerns.filter((candidate) => candidate !== concern));
      const [, secondProblem, secondRequest] = other.map(createScene(random, words)) as unknown as Concern;
      return `${problem} ${request}\n\n${random.pick(words.additions)} ${secondProblem} ${secondRequest}`;
    }
    case 'list': {
      const points = random.shuffled(topic.concerns).slice(0, random.integer(3, 5));
      const headlines = points.map(([point]) => `– ${createScene(random, words)(point)}`);
      const introduction = `${scene(random.pick(words.openings))} ${random.pick(words.lists)}`;
      return `${introduction}\n\n${headlines.join('\n')}\n\n${random.pick(words.closings)}`;
    }
  }
}

/** A position paper: numbered sections across the topics, just short of `length` characters. */
export function describeAtLength(random: Random, words: Vocabulary, length: number): string {
  const sections = words.topics.flatMap((topic) => topic.concerns.map((concern) => ({ topic, concern })));
  let paper = random.pick(words.papers);
  let number = 1;
  for (const { topic, concern } of random.shuffled(sections)) {
    const [headline, problem, request] = concern.map(createScene(random, words)) as unknown as Concern;
    const section = `${number}. ${headline}\n${problem} ${random.pick(topic.reasons)} ${request}`;
    if (paper.length + 2 + section.length > length) break;
    paper += `\n\n${section}`;
    number++;
  }
  return paper;
}

function createScene(random: Random, words: Vocabulary): Scene {
  const chosen = new Map<string, string>();

  const place = (kind: string) => {
    const known = chosen.get(kind);
    if (known !== undefined) return known;
    const places = words.places[kind];
    if (places === undefined) throw new Error(`No places of the kind "${kind}".`);
    const found = random.pick(places);
    chosen.set(kind, found);
    return found;
  };

  return (sentence) =>
    capitalized(
      sentence.replace(/(?:(\p{L}+) )?\{(\p{L}+)\}/gu, (_match, before: string | undefined, kind: string) =>
        joined(words, before, place(kind)),
      ),
    );
}

function joined(words: Vocabulary, before: string | undefined, place: string): string {
  if (before === undefined) return place;
  const [article, ...rest] = place.split(' ');
  const contraction = words.contractions[`${before.toLowerCase()} ${article}`];
  if (contraction === undefined) return `${before} ${place}`;
  const fitting = before === before.toLowerCase() ? contraction : capitalized(contraction);
  return [fitting, ...rest].join(' ');
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
