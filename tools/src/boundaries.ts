import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkBoundaries } from './boundaries/check.ts'

/** `node tools/src/boundaries.ts`: the arrows between packages, apps and folders. */
const { violations, warnings } = checkBoundaries(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
for (const line of warnings) console.log(`note  ${line}`)
for (const line of violations) console.log(line)
if (violations.length > 0) process.exitCode = 1
