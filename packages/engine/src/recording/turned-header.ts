import { LONGEST_HEADER, PREFIX_BYTES, parsePacketHeader } from '../syntax/pes/packet-header.ts'
import { isFilled } from './header-habits.ts'

/** Bytes behind the length in which a bit is looked for: flags, buffer size and two time stamps. */
const LOOKED_AT = 13

/**
 * A PES packet's header that breaks the syntax, with the one bit behind its length turned with which it keeps to it. Where
 * several do so, one with two time stamps, whose markers tell most, else one whose first byte was hit. `mpeg1`: of which system
 * the others are. Undefined where no bit helps.
 */
export function withTurnedBit(head: Uint8Array, mpeg1: boolean): Uint8Array | undefined {
  let best: Uint8Array | undefined
  let most = -1
  for (let place = PREFIX_BYTES; place < PREFIX_BYTES + LOOKED_AT; place++)
    for (let bit = 1; bit < 256; bit <<= 1) {
      const turned = head.slice(0, LONGEST_HEADER)
      turned[place] ^= bit
      const header = parsePacketHeader(turned, 0)
      if (!header || header.mpeg1 !== mpeg1 || !isPlain(turned, mpeg1) || !isFilled(turned, 0, header))
        continue
      const tells = (header.dts !== header.pts ? 2 : 0) + (place === PREFIX_BYTES ? 1 : 0)
      if (tells <= most) continue
      most = tells
      best = turned.subarray(0, header.headerLength)
    }
  return best
}

/** Whether the flags of an MPEG-2 header ask for time stamps alone: what else they may ask for has no markers that show it. */
function isPlain(head: Uint8Array, mpeg1: boolean): boolean {
  return mpeg1 || (head[PREFIX_BYTES + 1] & 0x3f) === 0
}
