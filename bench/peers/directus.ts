/**
 * The command of Directus, without `isolated-vm`: the sandbox of its extensions is compiled when it is installed,
 * Directus loads it even where there are no extensions, and no page needs it.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'isolated-vm'
      ? { url: new URL('./isolated-vm-stub.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});
await import('./node_modules/directus/cli.js');
