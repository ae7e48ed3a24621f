/**
 * The command of Directus without `isolated-vm`, the sandbox of its extensions. Directus always loads that package,
 * which needs a compiler to install, and the measured pages do not use it.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'isolated-vm'
      ? { url: new URL('./isolated-vm-stub.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});
await import('./node_modules/directus/cli.js');
