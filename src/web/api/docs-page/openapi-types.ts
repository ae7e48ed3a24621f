/** The parts of the OpenAPI document that the reference shows. */

export interface SchemaObject {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  const?: string | boolean;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, SchemaObject>;
  items?: SchemaObject;
  anyOf?: SchemaObject[];
  oneOf?: SchemaObject[];
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: SchemaObject;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  tags: [string];
  security: unknown[];
  parameters: ParameterObject[];
  responses: Record<string, ResponseObject>;
}

interface ResponseObject {
  description?: string;
  content?: { 'application/json': { schema: SchemaObject } };
}

export interface OpenapiDocument {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { get: OperationObject }>;
  components: { schemas: Record<string, SchemaObject>; responses: Record<string, ResponseObject> };
}
