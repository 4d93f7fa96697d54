import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { doubtsInWords } from '../../src/features/repair/result/doubt-words.ts'
import { lineOfCode } from '../../src/features/repair/result/finding-words.ts'

const PACKAGES = join(import.meta.dirname, '..', '..', '..', '..', 'packages')

/** Notes that are never more than that: the page does not list them. */
const NOTES = [
  'isobmff.deduced',
  'isobmff.estimated',
  'isobmff.track-absent',
  'isobmff.vendor-trailer',
  'mpegts.counter-unkept',
  'mpegts.late-start',
  'mpegts.open-end',
  'flv.metadata-missing',
]

/** The codes of all findings that engine and runner can state, read from their sources. */
function codesOfFindings(): readonly string[] {
  const formats = globSync('engine/src/formats/*/', { cwd: PACKAGES }).map((path) =>
    path.split(/[\\/]/).at(-1),
  )
  const whole = new RegExp(`'((?:${[...formats, 'file', 'sample', 'verify'].join('|')})\\.[a-z0-9-]+)'`, 'g')
  const texts = globSync('{engine,runner}/src/**/*.ts', { cwd: PACKAGES }).map((path) =>
    readFileSync(join(PACKAGES, path), 'utf8'),
  )
  const named = texts.flatMap((text) => [...text.matchAll(whole)].map(([, code]) => code ?? ''))
  // The family of ISO media names its own by their last part.
  const isobmff = readFileSync(join(PACKAGES, 'engine/src/formats/isobmff/findings.ts'), 'utf8')
  const parts = [...isobmff.matchAll(/finding\(\s*(?:\w+ \? '([a-z-]+)' : )?'([a-z-]+)'/g)]
  return [
    ...new Set([
      ...named,
      ...parts.flatMap(([, ...codes]) => codes.filter(Boolean).map((code) => `isobmff.${code}`)),
    ]),
  ]
}

describe('what the engine finds', () => {
  it('is told in words of the page, whatever the format', () => {
    const codes = codesOfFindings()
    expect(codes.length).toBeGreaterThan(200)
    expect(codes.filter((code) => !NOTES.includes(code) && lineOfCode(code) === undefined)).toEqual([])
  })

  it('is told in words of the page where it is a doubt', () => {
    const source = readFileSync(join(PACKAGES, 'engine/src/model/doubt.ts'), 'utf8')
    const codes = [...source.matchAll(/code: '([a-z-]+)'/g)].map(([, code]) => code ?? '')
    expect(codes).toContain('unexplained')
    const unnamed = 'in the words of the engine'
    expect(codes.filter((code) => doubtsInWords([{ code, message: unnamed }])[0] === unnamed)).toEqual([])
  })
})

describe('doubts in words', () => {
  it('are told in the words of a newer engine where the page has none', () => {
    const message = 'The light was odd.'
    expect(
      doubtsInWords([
        { code: 'size', message },
        { code: 'light', message },
      ]),
    ).toEqual(['Width and height of the picture are estimated.', message])
  })
})
