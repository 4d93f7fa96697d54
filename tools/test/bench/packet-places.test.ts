import { createHash } from 'node:crypto'
import type { StreamHashes } from '@mendframe/renderer'
import { expect, it } from 'vitest'
import { placed, touched } from '../../src/bench/packet-places.ts'

const HEADER = 4
const SIZE = 16
const file = Buffer.from(Array.from({ length: 5 * (HEADER + SIZE) }, (_, at) => (at * 7) & 0xff))

/** Packets of sixteen bytes behind headers of four; `said` bytes behind those their demuxer says that they begin. */
function streamAt(said: number): StreamHashes {
  const packets = Array.from({ length: 5 }, (_, index) => {
    const start = index * (HEADER + SIZE) + HEADER
    const md5 = createHash('md5')
      .update(file.subarray(start, start + SIZE))
      .digest('hex')
    return { pts: index, dts: index, duration: 1, position: start + said, size: SIZE, key: true, md5 }
  })
  return { index: 0, kind: 'audio', codec: 'flac', packets, frames: [] }
}

it('packets are where their own bytes begin, whatever place in front of them a demuxer names', () => {
  const right = [streamAt(0)]
  expect(placed(file, right)).toBe(right)
  expect(placed(file, [streamAt(-HEADER)])).toEqual(right)
})

it('a bit touches a packet by its own bytes alone, and what is longer also by what is in front of it', () => {
  const said = [streamAt(-HEADER)]
  const own = placed(file, said)
  const hits = (start: number, end: number): number[] => [...(touched(said, own, [{ start, end }])[0] ?? [])]
  const second = HEADER + SIZE
  expect(hits(second, second + 1)).toEqual([])
  expect(hits(second + HEADER, second + HEADER + 1)).toEqual([1])
  expect(hits(second + HEADER + SIZE - 1, second + HEADER + SIZE)).toEqual([1])
  expect(hits(second, second + 2)).toEqual([1])
  expect(hits(second, second)).toEqual([])
  expect(hits(second + 1, second + 1)).toEqual([1])
})

it('packets in one block lie one behind the other, behind what tells their lengths', () => {
  const [stream] = placed(file, [streamAt(0)])
  const laced = [0, 1, 2].map((index) => {
    const start = 50 + index * 10
    const md5 = createHash('md5')
      .update(file.subarray(start, start + 10))
      .digest('hex')
    return { pts: index, dts: index, duration: 1, position: 5, size: 10, key: true, md5 }
  })
  const [found] = placed(file, [{ ...(stream as StreamHashes), packets: laced }])
  expect(found?.packets.map(({ position }) => position)).toEqual([50, 60, 70])
})
