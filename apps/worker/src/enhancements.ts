import { rm, stat } from 'node:fs/promises'
import type { EnhancedRange, EnhanceOperations, LeftRange } from '@mendframe/renderer'
import { AbortedError, type Enhance, type EnhancementReport, type Report } from '@mendframe/runner'

export type Enhancement = EnhancementReport['operation']

/** In the order they are done: sound pictures first, then their light, then their edges, then their times. */
export const ENHANCEMENTS: readonly Enhancement[] = ['conceal', 'deflicker', 'sharpen', 'retime']

/** What changes pictures and looks at the result, loaded when it is needed first. */
export type EnhanceTools = Pick<typeof import('@mendframe/renderer'), 'enhance' | 'verify'>

/** Bounds of each encoding and checking. */
export interface EnhanceLimits {
  readonly timeoutSeconds: number
  readonly memoryBytes?: number
  /** Whether the result is decoded again. */
  readonly check: boolean
}

/**
 * Does these enhancements to a repaired file one after the other, in the order of `ENHANCEMENTS`. One that fails leaves the file
 * as it was without it and says why in the report; only a stop by the caller is thrown. With `check` the result is verified
 * again.
 */
export function createEnhance(
  wanted: readonly Enhancement[],
  { check, ...bounds }: EnhanceLimits,
  tools: () => Promise<EnhanceTools> = () => import('@mendframe/renderer'),
): Enhance {
  const names = ENHANCEMENTS.filter((name) => wanted.includes(name))
  return async (path, report, { signal, onProgress }) => {
    const { enhance, verify } = await tools()
    const limits = { ...bounds, ...(signal ? { signal } : {}) }
    const enhancements: EnhancementReport[] = []
    let current = path
    let latest = report
    for (const [index, name] of names.entries()) {
      const output = `${path}.${name}`
      try {
        const { changed, left } = await enhance({
          input: current,
          output,
          operations: operationsOf(name, report),
          ...limits,
          onProgress: (part) => onProgress?.((index + part) / names.length),
        })
        const checked = changed.length > 0 && check ? await verify(output, limits) : undefined
        if (checked && !checked.decodable) throw new Error('the result does not decode')
        enhancements.push(accountOf(name, changed, left))
        if (changed.length === 0) continue
        if (current !== path) await rm(current, { force: true })
        current = output
        latest = { ...latest, ...(checked ? { verification: checked } : {}) }
      } catch (error) {
        await rm(output, { force: true })
        if (isAbort(error)) {
          if (current !== path) await rm(current, { force: true })
          throw error
        }
        const reason = error instanceof Error ? error.message : String(error)
        enhancements.push({ operation: name, outcome: 'failed', pictures: 0, ranges: [], reason })
      }
    }
    if (current === path) return { report: { ...latest, enhancements } }
    const { size } = await stat(current)
    return { report: { ...latest, output: { size }, enhancements }, replacement: current }
  }
}

function operationsOf(name: Enhancement, report: Report): EnhanceOperations {
  if (name === 'conceal') return { conceal: { ranges: damagedRanges(report) } }
  return name === 'retime' ? { retime: {} } : { [name]: true }
}

/** Where the report says that pictures are damaged. */
function damagedRanges(report: Report): { start: number; end: number }[] {
  if (report.kind !== 'recording') return []
  const video = report.tracks.find(({ kind }) => kind === 'video')
  return (video?.ranges ?? [])
    .filter(({ state }) => state === 'damaged')
    .map(({ start, end }) => ({ start, end }))
}

function accountOf(
  operation: Enhancement,
  changed: readonly EnhancedRange[],
  left: readonly LeftRange[],
): EnhancementReport {
  const places = left.map(
    ({ start, end, reason }) => `${start.toFixed(2)} s to ${end.toFixed(2)} s (${reason})`,
  )
  return {
    operation,
    outcome: changed.length > 0 ? 'applied' : 'unneeded',
    pictures: changed.reduce((sum, { pictures }) => sum + pictures, 0),
    ranges: changed.map(({ start, end }) => ({ start, end })),
    ...(places.length > 0 ? { reason: `pictures stay as they are from ${places.join(', ')}` } : {}),
  }
}

function isAbort(error: unknown): boolean {
  if (error instanceof AbortedError) return true
  return error instanceof Error && 'kind' in error && error.kind === 'aborted'
}
