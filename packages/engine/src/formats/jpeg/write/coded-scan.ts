import { type EncodingTable, encodingTable } from '../../../codecs/jpeg/huffman-table.ts'
import { optimalTable } from '../../../codecs/jpeg/optimal-table.ts'
import {
  countSymbols,
  covers,
  type SymbolCounts,
  writeSequential,
} from '../../../codecs/jpeg/sequential-writer.ts'
import type { HuffmanTables } from '../../../codecs/jpeg/tables.ts'
import type { MendedPicture } from '../../../photo/picture/picture.ts'
import type { FrameHeader } from '../../../syntax/jpeg-markers/frame.ts'
import type { HuffmanSpec } from '../../../syntax/jpeg-markers/huffman.ts'
import type { ScanComponent } from '../../../syntax/jpeg-markers/scan-header.ts'

/** The entropy-coded data of a mended picture in one sequential scan, and what its header must say. */
export interface CodedScan {
  readonly data: Uint8Array
  readonly components: readonly ScanComponent[]
  /** Tables to be defined in front of it; none when those in force serve. */
  readonly tables: readonly HuffmanSpec[]
}

interface Choice {
  readonly component: ScanComponent
  readonly dc: EncodingTable
  readonly ac: EncodingTable
}

/** Codes the picture with the scan's own tables where they have every code it takes, so that what was intact keeps its bits. */
export function codeWithOwnTables(
  picture: MendedPicture,
  frame: FrameHeader,
  components: readonly ScanComponent[],
  tables: HuffmanTables,
  interval: number,
  expected: number,
): CodedScan {
  const { layout, source } = picture
  const counts = countSymbols(source, layout, interval, frame.precision)
  const choices = layout.components.map(({ id }, index): Choice | undefined => {
    const component = components.find((own) => own.id === id)
    const dc = component && tables.spec(0, component.dc)
    const ac = component && tables.spec(1, component.ac)
    if (!component || !dc || !ac) return undefined
    const choice = { component, dc: encodingTable(dc), ac: encodingTable(ac) }
    return covers(choice.dc, counts[index].dc) && covers(choice.ac, counts[index].ac) ? choice : undefined
  })
  const own = choices.filter((choice) => choice !== undefined)
  if (own.length < choices.length) return codeWithNewTables(picture, frame, interval, expected, counts)
  const data = writeSequential(source, layout, own, interval, frame.precision, expected)
  return { data, components: own.map(({ component }) => component), tables: [] }
}

/** Codes the picture with tables made for it: one pair for the first component, one for the others. */
export function codeWithNewTables(
  { layout, source }: MendedPicture,
  frame: FrameHeader,
  interval: number,
  expected: number,
  counted?: readonly SymbolCounts[],
): CodedScan {
  const counts = counted ?? countSymbols(source, layout, interval, frame.precision)
  const groups = [counts.slice(0, 1), counts.slice(1)].filter((group) => group.length > 0)
  const pairs = groups.map((group, id) => ({
    dc: optimalTable(0, id, sum(group.map(({ dc }) => dc))),
    ac: optimalTable(1, id, sum(group.map(({ ac }) => ac))),
  }))
  const encoding = pairs.map(({ dc, ac }) => ({ dc: encodingTable(dc), ac: encodingTable(ac) }))
  const idOf = (index: number): number => Math.min(index, 1)
  const data = writeSequential(
    source,
    layout,
    layout.components.map((_, index) => encoding[idOf(index)]),
    interval,
    frame.precision,
    expected,
  )
  const components = layout.components.map(({ id }, index) => ({ id, dc: idOf(index), ac: idOf(index) }))
  return { data, components, tables: pairs.flatMap(({ dc, ac }) => [dc, ac]) }
}

/** Every table needs a symbol at least: the end of block, which also is "no difference". */
function sum(counts: readonly Uint32Array[]): Uint32Array {
  const total = new Uint32Array(256)
  for (const count of counts) for (let i = 0; i < total.length; i++) total[i] += count[i]
  if (total.every((count) => count === 0)) total[0] = 1
  return total
}
