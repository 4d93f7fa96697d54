import { rm, stat } from 'node:fs/promises'
import type { EnhancedRange, EnhanceOperations } from '@mendframe/renderer'
import type { Enhance, EnhancementReport, Report } from '@mendframe/runner'
import { InvalidArgumentError } from 'commander'
import { isAbort } from './failure.ts'

export type Enhancement = EnhancementReport['operation']

/** In the order they are done: sound pictures first, then their light, then their edges, then their times. */
const ENHANCEMENTS: readonly Enhancement[] = ['conceal', 'deflicker', 'sharpen', 'retime']

/** Reads `conceal,retime` of the command line. */
export function enhancementList(value: string): Enhancement[] {
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !ENHANCEMENTS.some((known) => known === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`Allowed are ${ENHANCEMENTS.join(', ')}.`)
  return ENHANCEMENTS.filter((name) => names.includes(name))
}

/**
 * Does these enhancements to a repaired file one after the other. One that fails leaves the file as it was without it and says
 * why in the report; only a stop by the caller is thrown. With `check` the result is verified again.
 */
export function createEnhance(
  names: readonly Enhancement[],
  options: { readonly timeoutSeconds: number; readonly check: boolean },
): Enhance {
  return async (path, report, { signal, onProgress }) => {
    const { enhance, verify } = await import('@mendframe/renderer')
    const limits = { timeoutSeconds: options.timeoutSeconds, ...(signal ? { signal } : {}) }
    const enhancements: EnhancementReport[] = []
    let current = path
    let latest = report
    for (const [index, name] of names.entries()) {
      const output = `${path}.${name}`
      try {
        const { changed } = await enhance({
          input: current,
          output,
          operations: operationsOf(name, report),
          ...limits,
          onProgress: (part) => onProgress?.((index + part) / names.length),
        })
        const checked = changed.length > 0 && options.check ? await verify(output, limits) : undefined
        if (checked && !checked.decodable) throw new Error('the result does not decode')
        enhancements.push(accountOf(name, changed))
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
function damagedRanges({ tracks }: Report): { start: number; end: number }[] {
  const video = tracks.find(({ kind }) => kind === 'video')
  return (video?.ranges ?? [])
    .filter(({ state }) => state === 'damaged')
    .map(({ start, end }) => ({ start, end }))
}

function accountOf(operation: Enhancement, changed: readonly EnhancedRange[]): EnhancementReport {
  return {
    operation,
    outcome: changed.length > 0 ? 'applied' : 'unneeded',
    pictures: changed.reduce((sum, { pictures }) => sum + pictures, 0),
    ranges: changed.map(({ start, end }) => ({ start, end })),
  }
}
