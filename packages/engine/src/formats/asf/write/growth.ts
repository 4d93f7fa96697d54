import type { Foresight } from '../../../bytes/foresight.ts'
import { joinObjects } from '../read/media-objects.ts'
import type { SoFar } from '../read/scan.ts'
import { outputPackets } from './packets.ts'

/** Packets in front of a hole and behind it within which the media objects end that it broke: nearly all are shorter by far. */
const MARGIN = 256

/**
 * Tells while packets are found where they come to lie in the result: behind a hole as soon as it is likely what is left out
 * because of it, which payloads of both its sides tell.
 */
export class GrowthWatch {
  readonly #foresight: Foresight
  /** Holes of which it is known. */
  #known = 0
  #growth = 0

  constructor(foresight: Foresight) {
    this.#foresight = foresight
  }

  /** All in front of `at` is found. */
  walked(found: SoFar, at: number): void {
    const { packets, holes } = found
    const last = holes.at(-1)
    if (last && this.#known < holes.length) {
      const end = last.packet + MARGIN
      if (packets.length < end + MARGIN) return
      const start = Math.max(0, holes[this.#known].packet - MARGIN)
      this.#growth += writtenBytes(found, start, end) - (packets.offset[end] - packets.offset[start])
      this.#known = holes.length
      this.#foresight.changed(packets.offset[start], packets.offset[end], this.#growth)
    }
    this.#foresight.reached(at, this.#growth)
  }
}

/** Bytes that packets [start, end) make in the result, by the payloads around them. */
function writtenBytes({ packets, payloads, sizes }: SoFar, start: number, end: number): number {
  const from = Math.max(0, start - MARGIN)
  const to = end + MARGIN
  const last = to < packets.length ? packets.first[to] : payloads.length
  const near = packets.part(from, to)
  const own = payloads.part(near.shift, last)
  joinObjects(own)
  let bytes = 0
  for (const { row, same } of outputPackets(near.packets, own, sizes)) {
    if (row + from < start) continue
    if (row + from >= end) break
    bytes += same ? near.packets.size[row] : sizes.most
  }
  return bytes
}
