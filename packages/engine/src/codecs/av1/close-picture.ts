import type { Allowance } from '../../model/allowance.ts'
import { readAv1Picture, type TornTile } from './picture-reader.ts'
import { ClosingDecoder } from './symbols/closing-decoder.ts'
import { TileReader } from './tile-data/tile-reader.ts'

/** Equal bytes in a row that no symbols make. */
const LEAST_RUN = 24

/**
 * A picture of which tiles have holes, runs of equal bytes, with symbols from there on that are made up: decoders, which refuse a
 * tile whose symbols do not end with its bytes, show what is in front of the holes, and behind them what its borders go on with.
 * As long as it was. Undefined where no tile has a hole, or others are torn.
 */
export function closeAv1Picture(picture: Uint8Array, allowance: Allowance): Uint8Array | undefined {
  const closed = picture.slice()
  const reading = readAv1Picture(closed, allowance, undefined, closeTile)
  return reading === 'whole' && readAv1Picture(closed, allowance) === 'whole' ? closed : undefined
}

function closeTile({ payload, from, end, place, frame }: TornTile): boolean {
  const hole = runIn(payload, from, end)
  if (hole === undefined) return false
  const decoder = new ClosingDecoder(hole)
  if (!new TileReader(decoder, frame).read(payload, from, end, place)) return false
  const bytes = decoder.closed()
  if (bytes) payload.set(bytes, from)
  return bytes !== undefined
}

/** Where the first long run of equal bytes begins. */
function runIn(bytes: Uint8Array, from: number, end: number): number | undefined {
  let run = 1
  for (let at = from + 1; at < end; at++) {
    run = bytes[at] === bytes[at - 1] ? run + 1 : 1
    if (run === LEAST_RUN) return at + 1 - run
  }
  return undefined
}
