// Nothing on this page may leave the installation: no validator, no stored key.
globalThis.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  domNode: document.getElementById('reference'),
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
