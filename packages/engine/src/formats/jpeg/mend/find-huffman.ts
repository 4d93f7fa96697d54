import type { EntropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import { SAMPLINGS } from '../../../photo/frame/fit-frame.ts'
import type { TablesOf } from '../../../photo/frame/scan-reading.ts'
import type { FrameComponent } from '../../../syntax/jpeg-markers/frame.ts'

const BYTE = 8
/** Places in the data from which they are read, and bytes read from each at most. */
const SPOTS = 8
const MOST_BYTES = 1 << 16
/**
 * Bits by which data must be readable further than with tables that come first: what reading takes to fail several times over.
 */
const CLEARLY = 1 << 14
/** Bits in a row that tables of another scan do not read. */
const SURELY = 1 << 17
/** Where fewer lie between two places, they may read them at some, but not so great a part of them at so many. */
const [PART, LEAST_PLACES] = [0.8, SPOTS / 2]

/**
 * Which of several sets of tables, likeliest first, goes with a scan: the one with which most of it can be read, from places
 * spread over it, since its beginning may be lost. `known`: components of the frame, where they are told.
 */
export function likeliestTables(
  data: EntropyData,
  sets: readonly TablesOf[],
  known: readonly FrameComponent[] | undefined,
): number {
  const choices = known ? [known] : SAMPLINGS
  let best = 0
  let most = 0
  sets.forEach((tablesOf, index) => {
    const bits = Math.max(...choices.map((components) => readable(data, components, tablesOf)))
    if (index > 0 && bits <= most + CLEARLY) return
    best = index
    most = bits
  })
  return best
}

/** Bits that can be read from all places together, from each up to the first failure or the next place. */
function readable(data: EntropyData, components: readonly FrameComponent[], tablesOf: TablesOf): number {
  return stretches(data, components, tablesOf, false).reduce((sum, bits) => sum + bits, 0)
}

/**
 * Whether a scan is read by tables: from one of the places on a long stretch of it without a failure, since damage may lie at
 * others, or shorter ones from several. Bits read by tables of another scan make no code, or too many coefficients of a block,
 * again and again.
 */
export function isReadable(
  data: EntropyData,
  tablesOf: TablesOf,
  known: readonly FrameComponent[] | undefined,
): boolean {
  const wanted = (PART * BYTE * data.length) / SPOTS
  const choices = known ? [known] : SAMPLINGS
  return choices.some((components) => {
    const read = stretches(data, components, tablesOf, true)
    return Math.max(...read) >= SURELY || read.filter((bits) => bits >= wanted).length >= LEAST_PLACES
  })
}

/** From each place the bits that can be read up to the first failure or, `onward`, the most between two of them. */
function stretches(
  data: EntropyData,
  components: readonly FrameComponent[],
  tablesOf: TablesOf,
  onward: boolean,
): number[] {
  // the layout's shape does not depend on the size
  const layout = new McuLayout(BYTE, BYTE, components)
  const tables = Array.from(layout.componentOf, (component) => tablesOf(component)).filter(
    (entry) => entry !== undefined,
  )
  if (tables.length < layout.blocksPerMcu) return [0]
  const reader = new McuReader(data.bytes, data.length, tables)
  const differences = new Int16Array(layout.blocksPerMcu)
  const { restarts, length } = data
  let number = 0
  return Array.from({ length: SPOTS }, (_, spot) => {
    const from = Math.floor((length * spot) / SPOTS)
    const to = Math.min(from + MOST_BYTES, Math.floor((length * (spot + 1)) / SPOTS))
    let at = from * BYTE
    let start = at
    let most = 0
    while (at < to * BYTE) {
      while (number < restarts.count && restarts.at(number) * BYTE <= at) number++
      reader.end = BYTE * (number < restarts.count ? restarts.at(number) : length)
      const next = reader.end - at < BYTE ? reader.end : reader.pass(at, differences)
      if (next >= 0) at = next
      most = Math.max(most, at - start)
      if (next >= 0) continue
      if (!onward) break
      at = number < restarts.count ? reader.end : at + 1
      start = at
    }
    return most
  })
}
