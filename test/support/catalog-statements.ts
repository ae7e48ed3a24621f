/** Reads the catalogues of open data as statements. */
import assert from 'node:assert/strict';
import jsonld from 'jsonld';
import { Parser } from 'n3';
import { type HttpResponse, type RequestOptions, sendRequest } from './http-client.ts';

/**
 * Statements as subject, property and value. A text ends with its language, such as `Sitzungen@de`, a literal with its type, such as
 * `2026-03-01^^date`.
 */
export type Statement = [subject: string, property: string, value: string];

export const dcat = 'http://www.w3.org/ns/dcat#';
export const dct = 'http://purl.org/dc/terms/';
export const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

interface Term {
  value: string;
  language?: string;
  datatype?: { value: string };
}

interface Quad {
  subject: Term;
  predicate: Term;
  object: Term;
}

const schemaTypes = 'http://www.w3.org/2001/XMLSchema#';

function formatTerm({ value, language, datatype }: Term): string {
  if (language) return `${value}@${language}`;
  const typeName = datatype?.value.startsWith(schemaTypes) && datatype.value.slice(schemaTypes.length);
  return typeName && typeName !== 'string' ? `${value}^^${typeName}` : value;
}

const toStatement = ({ subject, predicate, object }: Quad): Statement => [
  subject.value,
  predicate.value,
  formatTerm(object),
];

export function createCatalogReader({ port }: { port: number }) {
  async function getDocument(path: string, options?: RequestOptions): Promise<HttpResponse> {
    const response = await sendRequest(port, path, options);
    assert.equal(response.status, 200, response.text);
    return response;
  }

  return {
    getDocument,

    readTurtle: async (path: string): Promise<Statement[]> =>
      new Parser().parse((await getDocument(path)).text).map((quad) => toStatement(quad)),

    readJsonLd: async (path: string): Promise<Statement[]> => {
      const loadNothing = () => Promise.reject(new Error('The document refers to another one.'));
      const document = JSON.parse((await getDocument(path)).text);
      const quads = await jsonld.toRDF(document, { documentLoader: loadNothing });
      return (quads as Quad[]).map(toStatement);
    },
  };
}

export const sortStatements = (statements: readonly Statement[]) =>
  statements.map((statement) => statement.join(' ')).sort();

export const listOf = (statements: readonly Statement[], wanted: string) =>
  statements.filter(([, property, value]) => property === type && value === wanted).map(([id]) => id);

export const valuesOf = (statements: readonly Statement[], id: string | undefined, property: string) =>
  statements
    .filter((statement) => statement[0] === id && statement[1] === property)
    .map(([, , value]) => value);
