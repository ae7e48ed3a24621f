/** Lints an OpenAPI document with general rules and those of OWASP. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import core from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';

/** @param text the document as JSON @returns warnings and errors */
export async function lintOpenapi(text: string): Promise<string[]> {
  const parsers = createRequire(import.meta.resolve('@stoplight/spectral-core'))(
    '@stoplight/spectral-parsers',
  );
  const definition = {
    extends: [
      [rulesets.oas, 'recommended'],
      // The package is CommonJS, compiled from a default export.
      ['default' in owasp ? owasp.default : owasp, 'all'],
    ],
    rules: {
      // They require words and an extension for an inventory of staging and internal servers. Each municipality has
      // one installation, and a demo is not in production.
      'owasp:api9:2023-inventory-environment': 'off',
      'owasp:api9:2023-inventory-access': 'off',
    },
    overrides: [
      {
        // The specification requires no key for this path, so it has no rate limit.
        files: ['openapi.json#/paths/~1health'],
        rules: {
          'owasp:api2:2023-read-restricted': 'off',
          'owasp:api4:2023-rate-limit-responses-429': 'off',
          'owasp:api8:2023-define-error-responses-401': 'off',
        },
      },
    ],
  };
  const spectral = new core.Spectral();
  // Paths in overrides are relative to the file of the ruleset, so both need a path.
  spectral.setRuleset(new core.Ruleset(definition, { source: resolve('ruleset.json') }));
  const results = await spectral.run(new core.Document(text, parsers.Json, resolve('openapi.json')));
  assert.ok(Object.keys(spectral.ruleset?.rules ?? {}).length > 60);
  return results.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
}
