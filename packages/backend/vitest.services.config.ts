import { defineConfig } from 'vitest/config'

/*
 * The service's suites on PostgreSQL instead of the embedded database, and what only such a database or an S3-compatible
 * store can show. `services/run.ts` starts it with both at hand.
 */
export default defineConfig({
  test: {
    root: new URL('../../', import.meta.url).pathname,
    include: [
      'packages/backend/services/**/*.test.ts',
      'apps/api/test/**/*.test.ts',
      'apps/worker/services/**/*.test.ts',
      'apps/worker/test/repair-job.test.ts',
    ],
    // Test files share a process, as in the other suites; each test has a database of its own.
    isolate: false,
    maxWorkers: '100%',
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
