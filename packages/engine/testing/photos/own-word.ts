import type { PhotoReport } from '../../src/model/report.ts'

/**
 * What contradicts itself between a report and what was written: a result is written where there is one, and is uncertain where
 * it is called so. Empty where nothing does.
 */
export function contradictions({ verdict, doubts = [] }: PhotoReport, output: Uint8Array): string[] {
  const isResult = verdict === 'repaired' || verdict === 'partial'
  return [
    ...(isResult === output.length > 0 ? [] : [`${verdict} with ${output.length} bytes written`]),
    ...(verdict === 'repaired' && doubts.length > 0 ? ['repaired with doubts'] : []),
    ...(verdict === 'partial' && doubts.length === 0 ? ['partial without a doubt'] : []),
  ]
}
