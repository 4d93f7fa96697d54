import type { EntropyData } from '../../../codecs/jpeg/entropy-data.ts'
import { McuLayout } from '../../../codecs/jpeg/mcu-layout.ts'
import { type BlockTables, McuReader } from '../../../codecs/jpeg/mcu-reader.ts'
import { SAMPLINGS } from '../../../photo/fit-frame.ts'
import type { FrameComponent } from '../../../syntax/jpeg-markers/frame.ts'

/** Tables of each component of a picture, undefined where there are none. */
export type TablesOf = (component: number) => BlockTables | undefined

const BYTE = 8
/** Places in the data from which they are read, and bytes read from each at most. */
const SPOTS = 8
const MOST_BYTES = 1 << 16
/** Bits by which data must be readable further than with tables that come first: what reading takes to fail several times over. */
const CLEARLY = 1 << 14

/**
 * Which of several sets of tables, likeliest first, goes with a scan: the one with which most of it can be read, from places spread over it, since its
 * beginning may be lost. `known`: components of the frame, where they are told.
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
  // the layout's shape does not depend on the size
  const layout = new McuLayout(BYTE, BYTE, components)
  const tables = Array.from(layout.componentOf, (component) => tablesOf(component)).filter(
    (entry) => entry !== undefined,
  )
  if (tables.length < layout.blocksPerMcu) return 0
  const reader = new McuReader(data.bytes, data.length, tables)
  const differences = new Int16Array(layout.blocksPerMcu)
  const { restarts, length } = data
  let number = 0
  let sum = 0
  for (let spot = 0; spot < SPOTS; spot++) {
    const from = Math.floor((length * spot) / SPOTS)
    const to = Math.min(from + MOST_BYTES, Math.floor((length * (spot + 1)) / SPOTS))
    let at = from * BYTE
    for (let next = at; next >= 0 && at < to * BYTE; ) {
      while (number < restarts.count && restarts.at(number) * BYTE <= at) number++
      reader.end = BYTE * (number < restarts.count ? restarts.at(number) : length)
      if (reader.end - at < BYTE) next = reader.end
      else next = reader.pass(at, differences)
      if (next >= 0) at = next
      if (at === BYTE * length) break
    }
    sum += Math.max(0, at - from * BYTE)
  }
  return sum
}
