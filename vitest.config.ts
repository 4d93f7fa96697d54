import { defineConfig } from 'vitest/config'

/** One for each processor: the tests wait for little but processors. */
const EVERY_PROCESSOR = '100%'

/** Three suites, one command: units without services, the embedded database, journeys in a real browser. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/{engine,contract,runner,renderer}/test/**/*.test.ts',
            'apps/{web,cli}/test/**/*.test.ts',
            'tools/test/**/*.test.ts',
          ],
          testTimeout: 30_000,
          maxWorkers: EVERY_PROCESSOR,
        },
      },
      {
        test: {
          name: 'service',
          include: ['packages/backend/test/**/*.test.ts', 'apps/{api,worker}/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: EVERY_PROCESSOR,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['e2e/test/**/*.test.ts'],
          globalSetup: 'e2e/test/house.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // One house and one browser library for all files, two of them at a time, when nothing else runs.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
