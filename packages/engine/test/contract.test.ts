import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CODECS } from '../src/codecs/index.ts'
import { FORMATS } from '../src/formats/index.ts'
import { contractSuite } from '../testing/contract-suite.ts'

contractSuite(FORMATS)

/** Folders of `src/<kind>`, each one format or codec. */
function folders(kind: 'formats' | 'codecs'): string[] {
  return readdirSync(new URL(`../src/${kind}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

function identifier(folder: string): string {
  return folder.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

describe('registration', () => {
  it('has a line for every format folder', () => {
    const registered = new Set(FORMATS.map(({ name }) => name))
    const missing = folders('formats').filter((folder) => !registered.has(folder))
    const lines = missing.map(
      (folder) =>
        `add to packages/engine/src/formats/index.ts: import { ${identifier(folder)} } from './${folder}/index.ts'`,
    )
    expect(lines).toEqual([])
  })

  it('names every codec after a folder of its own', () => {
    const known = new Set(folders('codecs'))
    const names = CODECS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => name.includes('/') || name === '')).toEqual([])
    expect(known.size).toBeGreaterThan(0)
  })
})
