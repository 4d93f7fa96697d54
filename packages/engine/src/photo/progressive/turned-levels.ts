import { DcReader } from '../../codecs/jpeg/progressive-readers.ts'
import { edgeMeans } from '../levels/edge-means.ts'
import { alignPreview, likeliestPreview } from '../preview/align-preview.ts'
import type { Preview } from '../preview/preview.ts'
import { turnedDc } from '../turned/turned-dc.ts'
import { type DcPlane, type DcScan, writeDc } from './mend-progressive.ts'

const BYTE = 8
/** What one bit hides of others within a row shows once it is turned back. */
const MOST_ROUNDS = 4

/**
 * Turns bits back that were turned within differences of DC of a first scan that reads whole, and writes its DC anew. Returns the
 * first MCU whose levels changed, their count where none did.
 */
export function turnLevels(dc: DcScan, plane: DcPlane, previews: () => readonly Preview[]): number {
  const { layout, quantisation, coefficients } = plane
  const { mcuCount, blocksPerMcu } = layout
  const bytes = dc.data.bytes.slice()
  const reader = new DcReader(bytes, dc.data.length, dc.tables)
  const differences = new Int16Array(mcuCount * blocksPerMcu)
  const starts = new Uint32Array(mcuCount)
  for (let mcu = 0, at = 0; mcu < mcuCount; mcu++) {
    starts[mcu] = at
    at = reader.read(at, differences, mcu * blocksPerMcu)
    if (at < 0) return mcuCount
  }
  const section = {
    first: 0,
    count: mcuCount,
    place: 0,
    known: true,
    dc: new Int32Array(layout.components.length),
  }
  const sections = [section]
  const source = Int32Array.from({ length: mcuCount }, (_, mcu) => mcu)
  let first = mcuCount
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const means = layout.components.map((_, component) =>
      edgeMeans(coefficients, mcuCount, layout, component, quantisation[component]),
    )
    const preview = likeliestPreview(previews(), sections, coefficients, layout, quantisation)
    const aligned = preview && alignPreview(preview, sections, coefficients, layout, quantisation)
    const input = { coefficients, layout, quantisation, source, means, sections, reader, starts, low: dc.low }
    const found = turnedDc(input, aligned?.means(layout))
    if (found.length === 0) break
    for (const { bit, mcu } of found) {
      bytes[Math.floor(bit / BYTE)] ^= 0x80 >> (bit % BYTE)
      reader.read(starts[mcu], differences, mcu * blocksPerMcu)
      first = Math.min(first, mcu)
    }
    writeDc(differences, section, layout, dc.low, coefficients)
  }
  return first
}
