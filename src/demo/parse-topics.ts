import type { Concern, Topic } from './description-template-types.ts';

/**
 * Parses topics in this notation:
 *
 *     # Name of the topic
 *     ## Headline of a concern
 *     Its problem
 *     Its request
 *     - Reason that fits all concerns of the topic
 */
export const parseTopics = (text: string): Topic[] => splitSections(text, /^# /m).map(parseTopic);

function parseTopic(text: string): Topic {
  const [name = ''] = text.split('\n', 1);
  const concerns = splitSections(text, /^## /m).map((section): Concern => {
    const [headline = '', problem = '', request = ''] = section.split('\n');
    return [headline, problem, request];
  });
  const reasons = splitSections(text, /^- /m).map((section) => section.trimEnd());
  return { name, concerns, reasons };
}

const splitSections = (text: string, mark: RegExp) => text.split(mark).slice(1);
