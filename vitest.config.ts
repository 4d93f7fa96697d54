import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** One for each processor: the tests wait for little but processors. */
const EVERY_PROCESSOR = '100%'

/** Milliseconds after which a test hangs: a busy machine takes many times as long as an idle one. */
const PATIENCE = 180_000

/**
 * What Node runs is tested as Node runs it: rewritten for the test runner, every use of an import becomes a look-up, and the engine takes
 * half as long again.
 */
const AS_IT_RUNS = { viteModuleRunner: false, nodeLoader: false }

// Every test file is a process of its own: the modules they share are kept compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.vite/compiled', import.meta.url))

/** Four suites, one command: units without services, the pages, the embedded database, journeys in a real browser. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/{engine,contract,confined,runner,renderer}/test/**/*.test.ts',
            'apps/cli/test/**/*.test.ts',
            'tools/test/**/*.test.ts',
          ],
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
          maxWorkers: EVERY_PROCESSOR,
          experimental: AS_IT_RUNS,
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/test/**/*.test.ts'],
          testTimeout: PATIENCE,
          maxWorkers: EVERY_PROCESSOR,
        },
      },
      {
        test: {
          name: 'service',
          include: ['packages/backend/test/**/*.test.ts', 'apps/{api,worker}/test/**/*.test.ts'],
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
          maxWorkers: EVERY_PROCESSOR,
          experimental: AS_IT_RUNS,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['e2e/test/**/*.test.ts'],
          globalSetup: 'e2e/test/house.ts',
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
          // One house and one browser library for all files, two of them at a time, when nothing else runs.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
