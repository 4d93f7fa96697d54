import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** One for each processor: the tests wait for little but processors. */
const EVERY_PROCESSOR = '100%'

/** Milliseconds after which a test hangs: a busy machine takes many times as long as an idle one. */
const PATIENCE = 180_000

/**
 * What Node runs is tested as Node runs it: rewritten for the test runner, every use of an import becomes a look-up, and the
 * engine takes half as long again.
 */
const AS_IT_RUNS = { viteModuleRunner: false, nodeLoader: false }

/**
 * Test files share a process: starting one and loading the modules takes longer than most of them. What a file changes that
 * outlives it (environment, globals, modules' state), it puts back.
 */
const SHARED_PROCESS = { isolate: false }

/**
 * A test that came by no assertion has shown nothing: its loop ran over nothing, or it left early. Journeys wait for what they
 * want to see.
 */
const ASSERTS = { expect: { requireAssertions: true } }

/** Files that take long though they are short: begun first, they do not leave one processor idle in the end. */
const LONG = /\/(?:contract|adversaries|bench\/cases|enhance|make|fuzz|killed-worker|real-repair)\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = (file: TestSpecification) => sorted.findIndex(({ project }) => project === file.project)
    const short = (file: TestSpecification) => Number(!LONG.test(file.moduleId))
    // Projects stay together: only files of one project share a process.
    return sorted.toSorted((a, b) => rank(a) - rank(b) || short(a) - short(b))
  }
}

// Modules that processes have in common are kept compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.vite/compiled', import.meta.url))

/** Four suites, one command: units without services, the pages, the embedded database, journeys in a real browser. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
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
          ...SHARED_PROCESS,
          ...ASSERTS,
          experimental: AS_IT_RUNS,
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/test/**/*.test.ts'],
          testTimeout: PATIENCE,
          maxWorkers: EVERY_PROCESSOR,
          ...SHARED_PROCESS,
          ...ASSERTS,
        },
      },
      {
        test: {
          name: 'service',
          include: ['packages/backend/test/**/*.test.ts', 'apps/{api,worker}/test/**/*.test.ts'],
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
          maxWorkers: EVERY_PROCESSOR,
          ...SHARED_PROCESS,
          ...ASSERTS,
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
          ...SHARED_PROCESS,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
