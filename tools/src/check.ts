import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Step, steps } from './check/steps.ts'

/** `npm run check`: types, lint, format, boundaries and texts, a line each; status 1 when one fails. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const queue = steps(root)
const failed: string[] = []

async function work(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) await perform(step)
}

async function perform(step: Step): Promise<void> {
  const started = performance.now()
  const { passed, output } = await step.run()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${passed ? 'ok  ' : 'FAIL'}  ${step.name}  ${seconds} s`)
  if (output) console.log(output.trimEnd().replace(/^/gm, '      '))
  if (!passed) failed.push(step.name)
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
if (failed.length > 0) {
  console.log(`\n${failed.length} failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
