/** Starts the engine's script beside it with what the runtime once compiled of it, where that is of the same runtime: in half of the time. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

const filename = join(import.meta.dirname, 'engine.js')
const cachedData = readFileSync(join(import.meta.dirname, 'engine.compiled'))
new Script(readFileSync(filename, 'utf8'), { filename, cachedData }).runInThisContext()(
  createRequire(filename),
)
