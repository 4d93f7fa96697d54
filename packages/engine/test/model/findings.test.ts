import { expect, it } from 'vitest'
import { Allowance } from '../../src/model/allowance.ts'
import { DOUBT, distinctDoubts, doubtsThat } from '../../src/model/doubt.ts'
import { Findings, type Severity } from '../../src/model/finding.ts'

function listOf(limit: number, ...codes: readonly (readonly [string, Severity])[]): Findings {
  const findings = new Findings(limit)
  for (const [code, severity] of codes) findings.add({ code, severity, message: code })
  return findings
}

it('findings beyond the bound are counted, and what is asked of the whole knows them', () => {
  const findings = listOf(2, ['a', 'info'], ['b', 'info'], ['c', 'warning'])
  expect(findings.list.map(({ code }) => code)).toEqual(['a', 'b'])
  expect(findings).toMatchObject({ omitted: 1, healthy: false })
  expect(['a', 'c', 'd'].map((code) => findings.has(code))).toEqual([true, true, false])
  expect(findings.some((code) => code > 'b')).toBe(true)
  expect(findings.healthyBut(new Set(['c']))).toBe(true)
  expect(findings.healthyBut(new Set(['a']))).toBe(false)
  expect(listOf(1, ['a', 'info'], ['b', 'info']).healthy).toBe(true)
})

it('one more of a fault is counted without words only where it would not be kept, and only of a known fault', () => {
  const findings = listOf(2, ['a', 'info'], ['b', 'error'])
  expect(['a', 'b', 'c'].map((code) => findings.countMore(code))).toEqual([false, true, false])
  expect(findings.omitted).toBe(1)
  expect(listOf(2, ['b', 'error']).countMore('b')).toBe(false)
})

it('what one list takes over of another is what both know, and both left out', () => {
  const other = listOf(1, ['a', 'info'], ['b', 'error'])
  const whole = listOf(1)
  whole.join(other)
  whole.join(other)
  expect(whole.list.map(({ code }) => code)).toEqual(['a'])
  expect(whole).toMatchObject({ omitted: 3, healthy: false })
  expect([whole.has('b'), whole.healthyBut(new Set(['b']))]).toEqual([true, true])
  expect(new Findings().list.length + new Findings().omitted).toBe(0)
})

it('a doubt is one for each reason that holds, and each once', () => {
  expect(doubtsThat({ size: true, times: false, ends: true })).toEqual([DOUBT.size, DOUBT.ends])
  expect(distinctDoubts([DOUBT.size, DOUBT.ends, DOUBT.size, DOUBT.times])).toEqual([
    DOUBT.size,
    DOUBT.ends,
    DOUBT.times,
  ])
})

it('an allowance gives so many steps, and none once more were asked for', () => {
  const steps = new Allowance(5)
  expect([steps.take(), steps.take(4), steps.take(0), steps.take(), steps.take(0)]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

it('an allowance that is part of a whole ends with either, and takes the price of its steps from the whole', () => {
  const whole = new Allowance(10)
  const dear = new Allowance(5, whole, 3)
  expect([dear.take(), dear.take(2), dear.spent, whole.spent]).toEqual([true, true, false, false])
  expect([dear.take(), whole.spent, dear.spent]).toEqual([false, true, false])
  const own = new Allowance(1, new Allowance(10))
  expect([own.take(2), own.spent]).toEqual([false, true])
})
