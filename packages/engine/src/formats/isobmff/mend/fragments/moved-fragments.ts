import type { Findings } from '../../../../model/finding.ts'
import { TABLE_MENDED, tableMended } from '../../findings.ts'
import type { Fragments } from '../../read/fragments.ts'
import type { DefaultSizes } from './fragment-places.ts'

/**
 * Puts fragments of one track back where their payload is, ISO/IEC 14496-12:2022 §8.8.7: what an editor put before them moved it,
 * and their offsets count from the file's beginning or from boxes. One whose samples join, do not lie in its payload and fill
 * that to the last byte lies there.
 */
export function mendMovedFragments(
  fragments: Fragments,
  defaultSize: DefaultSizes,
  findings: Findings,
): void {
  const { headers, dataOffset } = fragments
  for (let fragment = 0; fragment < fragments.length; fragment++) {
    const payload = fragments.payload(fragment)
    const part = fragments.firstPart(fragment)
    if (!payload || fragments.partsEnd(fragment) !== part + 1) continue
    const first = fragments.firstRun(part)
    const base = fragments.baseOf(part)
    if (base === undefined || first === fragments.runsEnd(part)) continue
    const header = headers[part]
    const each = header.size ?? defaultSize(header.track)
    const start = base + (Number.isNaN(dataOffset[first]) ? 0 : dataOffset[first])
    let at = start
    let joins = true
    for (let run = first; run < fragments.runsEnd(part); run++) {
      joins &&= Number.isNaN(dataOffset[run]) || base + dataOffset[run] === at
      at += fragments.bytesOf(run, each)
    }
    if (!joins || at - start !== payload.end - payload.start) continue
    if (start >= payload.start && at <= payload.end) continue
    const own = base + payload.start - start
    if (!findings.countMore(TABLE_MENDED)) findings.add(tableMended(header.track, 'tfhd', base, own))
    headers[part] = { ...header, baseOffset: own }
  }
}
