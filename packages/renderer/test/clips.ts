import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clipOf } from '@mendframe/tools/src/media/catalogue.ts'
import { makeClip } from '@mendframe/tools/src/media/make-clip.ts'

/** The folder of the engine's films of some ten thousand bytes. */
export const FIXTURES = fileURLToPath(new URL('../../engine/test/formats/isobmff/fixtures/', import.meta.url))

export interface Clips {
  readonly folder: string
  /** Makes a clip of 2 seconds by the name of its recipe and returns its path. */
  make(name: string): Promise<string>
  remove(): void
}

/** A scratch folder with generated recordings. */
export function clips(): Clips {
  const folder = mkdtempSync(join(tmpdir(), 'renderer-'))
  return {
    folder,
    make: async (name) => {
      const path = join(folder, name)
      await makeClip(clipOf(name, 'victim', { seconds: 2, width: 192, height: 108, seed: 1 }), path)
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
