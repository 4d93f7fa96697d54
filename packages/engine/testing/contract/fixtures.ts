import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Format } from '../../src/formats/format.ts'

/** A healthy file, and a healthy one of the same camera settings beside it. */
export interface Fixture {
  readonly name: string
  readonly extension: string
  readonly bytes: Uint8Array
  /** A second recording of the same settings; the file itself for formats that need no sample. */
  readonly sample: Uint8Array | undefined
}

export const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))

/** `NAME.ext` is a fixture, `NAME.sample.ext` its sample. */
export function fixturesOf(format: Format, root = FIXTURES): Fixture[] {
  const folder = join(root, format.name)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => !/\.sample\.[^.]+$/.test(file) && !file.endsWith('.md'))
    .sort()
    .map((file) => {
      const extension = extname(file)
      const name = file.slice(0, -extension.length)
      const sample = join(folder, `${name}.sample${extension}`)
      return {
        name,
        extension: extension.slice(1),
        bytes: readBytes(join(folder, file)),
        sample: existsSync(sample) ? readBytes(sample) : undefined,
      }
    })
}

/** The bytes of the healthy file of that name, without its extension. */
export function fixtureOf(format: Format, name: string): Uint8Array {
  const found = fixturesOf(format).find((each) => each.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found.bytes
}

/** What to do about a format that has none. */
export function missingFixtures(format: Format): string {
  const [extension = 'ext'] = format.extensions
  return (
    `The format "${format.name}" has no fixtures. Add a healthy file as packages/engine/testing/fixtures/${format.name}/NAME.${extension} ` +
    `and, where a repair takes a sample, one of the same settings as NAME.sample.${extension}; ` +
    'packages/engine/testing/make-contract-pairs.ts makes such pairs.'
  )
}

function readBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path))
}
