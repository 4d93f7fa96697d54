import { expect, it } from 'vitest'
import type { Project, SourceFile } from '../../src/boundaries/project.ts'
import { nearestTests, testsFor } from '../../src/mutants/nearest-tests.ts'

function file(path: string, ...targets: string[]): SourceFile {
  const imports = targets.map((target) => ({
    specifier: target,
    target,
    typeOnly: target.startsWith('type:'),
    line: 1,
  }))
  return { path, text: '', lines: 1, imports }
}

const project: Project = {
  root: '/',
  workspaces: [{ folder: 'p', name: 'p', dependencies: new Set(), exports: new Map() }],
  files: [
    file('p/src/a.ts'),
    file('p/src/b.ts', 'p/src/a.ts'),
    file('p/src/alone.ts'),
    file('p/test/a.test.ts', 'p/src/a.ts'),
    file('p/test/b.test.ts', 'p/src/b.ts'),
    file('e2e/test/j.test.ts', 'p/src/a.ts'),
  ],
}

it('takes tests at the door first, then those farther off, and no journeys', () => {
  expect(nearestTests(project, 'p/src/a.ts')).toEqual(['p/test/a.test.ts', 'p/test/b.test.ts'])
})

it('goes through scripts that are started as processes', () => {
  const text = "const SCRIPT = new URL('./child.ts', import.meta.url)"
  const files = [
    file('p/src/child.ts', 'p/src/a.ts'),
    { ...file('p/src/start.ts'), text },
    file('p/test/start.test.ts', 'p/src/start.ts'),
  ]
  const all = { ...project, files: [...project.files, ...files] }
  expect(nearestTests(all, 'p/src/a.ts')).toEqual([
    ...['p/test/a.test.ts', 'p/test/b.test.ts', 'p/test/start.test.ts'],
  ])
})

it('takes the tests of the workspace where no test reaches the file', () => {
  expect(nearestTests(project, 'p/src/alone.ts')).toEqual(['p/test/a.test.ts', 'p/test/b.test.ts'])
})

it('takes those first whose paths are most like the file, and those of the whole before those of another room', () => {
  const files = [
    file('p/src/codecs/zip/tail.ts'),
    file('p/src/index.ts', 'p/src/codecs/zip/tail.ts'),
    file('p/test/codecs/arc/frames.test.ts', 'p/src/index.ts'),
    file('p/test/codecs/zip/frames.test.ts', 'p/src/index.ts'),
    file('p/test/codecs/zip/tail.test.ts', 'p/src/index.ts'),
    file('p/test/whole.test.ts', 'p/src/index.ts'),
  ]
  expect(nearestTests({ ...project, files }, 'p/src/codecs/zip/tail.ts')).toEqual([
    'p/test/codecs/zip/tail.test.ts',
    'p/test/codecs/zip/frames.test.ts',
    'p/test/codecs/arc/frames.test.ts',
    'p/test/whole.test.ts',
  ])
})

it('takes no more than asked for, but the suites of all formats for what belongs to one', () => {
  const [source, other, test, suite] = [
    'packages/engine/src/formats/avi/read.ts',
    'packages/engine/src/bytes/read.ts',
    'packages/engine/test/formats/avi/read.test.ts',
    'packages/engine/test/contract.test.ts',
  ]
  const files = [file(source), file(other), file(test, source, other), file(suite, source, other)]
  expect(testsFor({ ...project, files }, source, 1)).toEqual([test, suite])
  expect(testsFor({ ...project, files }, other, 2)).toEqual([test, suite])
  expect(testsFor({ ...project, files }, other, 1)).toHaveLength(1)
})
