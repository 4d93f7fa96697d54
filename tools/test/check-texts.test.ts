import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkTexts } from '../src/check/texts.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'texts-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('text check', () => {
  it('finds paths of one machine in documents', () => {
    writeFileSync(join(root, 'README.md'), 'Run it in\n`/home/alice/project` or /tmp/out.\n')
    expect(checkTexts(root)).toHaveLength(2)
  })

  it('finds unfinished work and paths of one machine in code', () => {
    writeFileSync(join(root, 'a.ts'), "// TODO later\nconst a = '/Users/bob/x'\n")
    expect(checkTexts(root).map((line) => line.split(':')[1])).toEqual(['1', '2'])
  })

  it('finds numbers of a tracker in documents only', () => {
    writeFileSync(join(root, 'a.md'), 'see issue 12\n')
    writeFileSync(join(root, 'a.css'), '.a { color: #123456 }\n')
    expect(checkTexts(root)).toEqual([expect.stringContaining('a.md:1: a number of a tracker')])
  })

  it('finds comments of more than 130 columns, but not code', () => {
    const long = 'x'.repeat(127)
    writeFileSync(
      join(root, 'a.ts'),
      `// ${long}\n// ${long}x\n/** ${long} */\n * ${long}x\nconst a = '${long}'\n`,
    )
    expect(checkTexts(root).map((line) => line.split(':')[1])).toEqual(['2', '3', '4'])
  })

  it('lets addresses, routes and folders of the project pass', () => {
    writeFileSync(
      join(root, 'a.md'),
      'See https://example.com/home/page, `apps/web/home/x`, `$HOME/tmp/x` and `node_modules/.bin`.\n',
    )
    expect(checkTexts(root)).toEqual([])
  })
})
