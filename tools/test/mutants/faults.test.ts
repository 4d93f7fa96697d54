import { describe, expect, it } from 'vitest'
import { linesOfDiff, sampleOf } from '../../src/mutants/choose.ts'
import { type Fault, faultsOf } from '../../src/mutants/faults.ts'

/** What each fault makes of a source text. */
function mutants(text: string, emptied = false): string[] {
  return faultsOf('a.ts', text, emptied).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  )
}

describe('planting faults', () => {
  it('moves a comparison by one', () => {
    expect(mutants('const c = a < b')).toEqual(['const c = a <= b'])
    expect(mutants('const c = a === b')).toEqual(['const c = a !== b'])
  })

  it('finds the operator behind a bracket that holds another', () => {
    expect(mutants('const c = (a(1 as number)) - b')).toContain('const c = (a(1 as number)) + b')
  })

  it('skips a check whose only purpose is to leave', () => {
    expect(mutants('function f(a: boolean) { if (a) return g() }')).toContain(
      'function f(a: boolean) { if (false) return g() }',
    )
  })

  it('swaps the branches of a test that has two', () => {
    expect(mutants('const c = a ? b : d')).toEqual(['const c = !(a) ? b : d'])
  })

  it('leaves awaits and calls out', () => {
    expect(mutants('await f()')).toEqual(['void 0', 'f()'])
  })

  it('makes a limit ten times as large and any other figure larger by one', () => {
    expect(mutants('const MOST = 60')).toEqual(['const MOST = 600'])
    expect(mutants('f = 60')).toEqual(['f = 61'])
  })

  it('swaps the least and the greatest', () => {
    expect(mutants('const c = Math.min(a, b)')).toEqual(['const c = Math.max(a, b)'])
  })

  it('touches no types, no messages and no text that is joined', () => {
    expect(mutants("type A = 1 | 2\nthrow new Error('a' + (1 + 2))\nconst c = 'a' + b")).toEqual([])
  })

  it('empties functions when asked for that', () => {
    expect(mutants('function f() { g() }', true)).toEqual(['function f() {}'])
    expect(mutants('function f() {}', true)).toEqual([])
  })

  it('says the line', () => {
    expect(faultsOf('a.ts', 'let a\n\nf = a < b')[0]).toMatchObject({ line: 3, what: '< becomes <=' })
  })
})

describe('choosing faults', () => {
  const faults: Fault[] = Array.from({ length: 100 }, (_, line) => ({
    path: 'a.ts',
    line,
    start: 0,
    end: 0,
    replacement: '',
    what: '',
  }))

  it('draws the same ones for a seed, others for another, in order', () => {
    const first = sampleOf(faults, 10, 1)
    expect(first).toHaveLength(10)
    expect(sampleOf(faults, 10, 1)).toEqual(first)
    expect(sampleOf(faults, 10, 2)).not.toEqual(first)
    expect(first.map(({ line }) => line)).toEqual(first.map(({ line }) => line).sort((a, b) => a - b))
  })

  it('reads the changed lines out of a diff', () => {
    const lines = linesOfDiff(
      '--- a/x.ts\n+++ b/x.ts\n@@ -3 +3,2 @@\n+a\n+b\n@@ -9,2 +10,0 @@\n-c\n@@ -20 +19 @@\n+d',
    )
    expect([...(lines.get('x.ts') ?? [])]).toEqual([3, 4, 19])
  })
})
