import { expect, it } from 'vitest'
import { joined } from '../../../src/bytes/joined.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { LAYOUTS } from '../../../src/formats/mpegts/read/packet.ts'
import { PidStream } from '../../../src/formats/mpegts/read/stream.ts'
import { markUnfed } from '../../../src/formats/mpegts/read/unfed.ts'
import { packetOf } from '../../../src/formats/mpegts/write/packets.ts'
import {
  SAMPLE_AFTER_HOLE,
  SAMPLE_DAMAGED,
  SAMPLE_UNFED,
  SampleTable,
} from '../../../src/model/sample-table.ts'
import { packetHeader } from '../../../src/syntax/pes/packet-header.ts'

const PID = 0x101
const FRAME = 192
/** Bytes of a frame that are main data, of one channel at 64 kbit/s and 48 kHz. */
const MAIN = FRAME - 4 - 17

/** A frame whose main data begins so many bytes in front of it, ISO/IEC 11172-3:1993 §2.4.1.7; of Layer II as its header says. */
function frame(begin: number, layer: 2 | 3): Uint8Array {
  const bytes = new Uint8Array(FRAME)
  bytes.set([0xff, layer === 3 ? 0xfb : 0xfd, 0x54, 0xc0, begin >> 1, (begin & 1) << 7])
  return bytes
}

/** Rows that are marked of a stream in which each PES packet is one frame, in two transport packets. */
function marked(begins: readonly number[], flags: readonly number[], layer: 2 | 3 = 3): number[] {
  const stream = new PidStream(PID)
  stream.table = new SampleTable()
  const packets: Uint8Array[] = []
  for (const [i, begin] of begins.entries()) {
    const pes = joined([packetHeader(0xc0, FRAME, i * 2160, i * 2160), frame(begin, layer)])
    stream.table.push(packets.length * 188, FRAME, 1, 0, 0, flags[i] ?? 0)
    packets.push(
      packetOf(PID, true, i * 2, pes.subarray(0, 184)),
      packetOf(PID, false, i * 2 + 1, pes.subarray(184)),
    )
  }
  markUnfed(new ByteReader(new MemorySource(joined(packets))), LAYOUTS[0], stream)
  return [...begins.keys()].filter((row) => ((stream.table?.flags[row] ?? 0) & SAMPLE_UNFED) !== 0)
}

it.each([
  ['nothing is marked where nothing is lost', [511, 511, 511], [], []],
  ['behind a hole, what reaches back into it', [0, MAIN, MAIN, MAIN * 2], [0, SAMPLE_AFTER_HOLE], [1]],
  ['behind a packet that was hit, not that one', [0, MAIN, MAIN, MAIN], [0, SAMPLE_DAMAGED], [2]],
])('%s', (_, begins, flags, rows) => {
  expect(marked(begins, flags)).toEqual(rows)
})

it('Layer II has no main data in front of its frames', () => {
  expect(marked([511, 511, 511], [0, SAMPLE_AFTER_HOLE], 2)).toEqual([])
})
