import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkBoundaries } from '../src/boundaries/check.ts'
import { findImports } from '../src/boundaries/project.ts'
import { RULES } from '../src/boundaries/rules.ts'

const WORKSPACES = [
  'packages/engine',
  'packages/contract',
  'packages/backend',
  'packages/renderer',
  'packages/runner',
  'apps/api',
  'apps/web',
  'apps/worker',
]

/** A planted import for every rule: file, statement, and further files it needs. */
const PLANTED: Record<string, { file: string; text: string; beside?: Record<string, string> }> = {
  'engine imports nothing': {
    file: 'packages/engine/src/a.ts',
    text: "import { readFileSync } from 'node:fs'",
  },
  'no format imports another': {
    file: 'packages/engine/src/formats/avi/a.ts',
    text: "import { box } from '../isobmff/box.ts'",
  },
  'formats are reached through their list': {
    file: 'packages/engine/src/engine.ts',
    text: "import { isobmff } from './formats/isobmff/index.ts'",
  },
  'codecs know no container': {
    file: 'packages/engine/src/codecs/aac/a.ts',
    text: "import type { Format } from '../../formats/format.ts'",
  },
  'recovery, recording and photo know no container': {
    file: 'packages/engine/src/recovery/a.ts',
    text: "import { box } from '../formats/isobmff/box.ts'",
  },
  'syntax stands on bytes and model': {
    file: 'packages/engine/src/syntax/a.ts',
    text: "import { aac } from '../codecs/aac/index.ts'",
  },
  'bytes and model are the ground': {
    file: 'packages/engine/src/bytes/a.ts',
    text: "import { aac } from '../codecs/aac/index.ts'",
  },
  'api never loads the engine': { file: 'apps/api/src/a.ts', text: "export * from '@mendframe/engine'" },
  'contract imports only zod': {
    file: 'packages/contract/src/a.ts',
    text: "import { join } from 'node:path'",
  },
  'backend sees reports, not bytes': {
    file: 'packages/backend/src/a.ts',
    text: "import { MemorySource } from '@mendframe/engine'",
  },
  'drivers are built in context.ts only': {
    file: 'packages/backend/src/accounts/a.ts',
    text: "import { mailer } from '../ports/mailer-smtp.ts'",
    beside: { 'packages/backend/src/ports/mailer-smtp.ts': "import { createTransport } from 'nodemailer'\n" },
  },
  'web: shared imports only shared': {
    file: 'apps/web/src/shared/a.tsx',
    text: "import { useRepair } from '../features/repair/use-repair.ts'",
  },
  'web: features import no routes': {
    file: 'apps/web/src/features/repair/a.tsx',
    text: "import Home from '../../routes/home.tsx'",
  },
  'web loads nothing of the server': {
    file: 'apps/web/src/shared/a.ts',
    text: "await import('@mendframe/backend')",
  },
  'the engine is loaded in its own process': {
    file: 'packages/runner/src/a.ts',
    text: "import { repair } from '@mendframe/engine'",
  },
  'media library stays in its own process': {
    file: 'apps/worker/src/a.ts',
    text: "import { Log } from 'node-av/lib'",
  },
  'renderer’s callers do not load its child': {
    file: 'packages/renderer/src/a.ts',
    text: "import { verify } from './tasks/verify.ts'",
  },
  'workspaces meet at their front doors': {
    file: 'apps/api/src/a.ts',
    text: "import { limits } from '../../../packages/contract/src/limits.ts'",
  },
  'dependencies are declared': { file: 'apps/worker/src/a.ts', text: "import pino from 'pino'" },
}

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boundaries-'))
  write('package.json', JSON.stringify({ workspaces: ['packages/*', 'apps/*'] }))
  for (const folder of WORKSPACES) {
    const name = `@mendframe/${folder.split('/')[1]}`
    write(`${folder}/package.json`, JSON.stringify({ name, exports: { '.': './src/index.ts' } }))
  }
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe('boundary check', () => {
  it('has a planted violation for every rule', () => {
    expect(Object.keys(PLANTED).sort()).toEqual(RULES.map(({ name }) => name).sort())
  })

  for (const [name, { file, text, beside }] of Object.entries(PLANTED)) {
    it(`finds a planted violation of "${name}"`, () => {
      for (const [path, content] of Object.entries(beside ?? {})) write(path, content)
      write(file, `\n${text}\n`)
      const { violations } = checkBoundaries(root)
      const found = violations.filter((line) => line.includes(`: ${name} (`))
      expect(found).toHaveLength(1)
      expect(found[0]).toContain(`${file}:2: imports`)
    })
  }

  it('finds an engine file that reaches its host without an import', () => {
    write('packages/engine/src/a.ts', 'export const p = globalThis.process\n')
    expect(checkBoundaries(root).violations.join()).toContain('packages/engine/src/a.ts:1: globalThis')
  })

  it('finds files that import each other in a circle, if only for types', () => {
    write('packages/engine/src/model/a.ts', "import { b } from './b.ts'\nexport const a = b\n")
    write('packages/engine/src/model/b.ts', "import type { C } from './c.ts'\nexport const b: C = 1\n")
    expect(checkBoundaries(root).violations).toEqual([])
    write('packages/engine/src/model/c.ts', "import type { a } from './a.ts'\nexport type C = typeof a | 1\n")
    const files = ['a', 'b', 'c'].map((name) => `packages/engine/src/model/${name}.ts`)
    expect(checkBoundaries(root).violations).toEqual([
      `${files[0]}: a circle of imports: ${files.join(' → ')}`,
    ])
  })

  it('finds circles outside the engine, too', () => {
    write('tools/src/a.ts', "import { b } from './b.ts'\nexport const a = b\n")
    write('tools/src/b.ts', "import type { a } from './a.ts'\nexport const b: typeof a = 1\n")
    expect(checkBoundaries(root).violations).toEqual([
      'tools/src/a.ts: a circle of imports: tools/src/a.ts → tools/src/b.ts',
    ])
  })

  it('lets the arrows that the architecture allows pass', () => {
    write('packages/engine/src/formats/index.ts', "import { isobmff } from './isobmff/index.ts'\n")
    write(
      'packages/engine/src/formats/isobmff/a.ts',
      "import { aac } from '../../codecs/aac/index.ts'\nimport { b } from './b.ts'\n",
    )
    write('packages/backend/src/context.ts', "import { mailer } from './ports/mailer-smtp.ts'\n")
    write(
      'packages/backend/package.json',
      JSON.stringify({ name: '@mendframe/backend', dependencies: { nodemailer: '1' } }),
    )
    write('packages/backend/src/ports/mailer-smtp.ts', "import { createTransport } from 'nodemailer'\n")
    write('apps/web/src/routes/home.tsx', "import { panel } from '../features/repair/panel.tsx'\n")
    write('packages/renderer/src/child.ts', "import { perform } from './perform.ts'\n")
    write('packages/renderer/src/perform.ts', "import { verify } from './tasks/verify.ts'\n")
    write('packages/renderer/src/in-process.ts', "import { perform } from './perform.ts'\n")
    expect(checkBoundaries(root)).toEqual({ violations: [], warnings: [] })
  })

  it('notes a file of more than 500 lines without failing it', () => {
    write('apps/api/src/long.ts', 'export {}\n'.repeat(501))
    expect(checkBoundaries(root)).toEqual({
      violations: [],
      warnings: ['apps/api/src/long.ts: 501 lines, more than 500'],
    })
  })
})

describe('reading of imports', () => {
  it('sees every form, over several lines too, and which of them bring in types only', () => {
    const text = [
      "import a from 'a'",
      "import type { B } from 'b'",
      'import {',
      '  type C,',
      '  type D,',
      "} from 'c'",
      "import 'side-effect'",
      "export * from './e.ts'",
      "const f = await import('f')",
      'export { g, type H } from "g"',
    ].join('\n')
    expect(findImports(text).map(({ specifier, typeOnly, line }) => [specifier, typeOnly, line])).toEqual([
      ['a', false, 1],
      ['b', true, 2],
      ['c', true, 3],
      ['side-effect', false, 7],
      ['./e.ts', false, 8],
      ['g', false, 10],
      ['f', false, 9],
    ])
  })

  it('does not take comments and exported strings for imports', () => {
    expect(findImports("// import x from 'y'\n * import('z')\nexport const from = 'q'\n")).toEqual([])
  })
})
