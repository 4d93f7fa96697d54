import type { StreamHashes } from '@mendframe/renderer'
import { expect, it } from 'vitest'
import { hitPackets } from '../../src/bench/payload-map.ts'

const PACKET = 64

/** A file of one packet, which holds an object of nine bytes and then, in one payload, objects of three and four. */
function film(): Buffer {
  const properties = Buffer.alloc(100)
  Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex').copy(properties)
  properties.writeUInt32LE(PACKET, 92)
  const data = Buffer.alloc(50)
  Buffer.from('3626b2758e66cf11a6d900aa0062ce6c', 'hex').copy(data)
  data.writeUInt32LE(1, 40)
  const head = [0x82, 0, 0, 9, 0x5d, 4, 0, 0, 0, 0, 0, 0, 0x82]
  const whole = [1, 1, 0, 0, 0, 0, 8, 9, 0, 0, 0, 0, 0, 0, 0, 9, 0, ...Array(9).fill(7)]
  const several = [1, 2, 0, 0, 0, 0, 1, 40, 9, 0, 3, 1, 2, 3, 4, 1, 2, 3, 4]
  const packet = Buffer.alloc(PACKET)
  Buffer.from([...head, ...whole, ...several]).copy(packet)
  packet[5] = PACKET - head.length - whole.length - several.length
  return Buffer.concat([properties, data, packet])
}

it('of a payload with several small objects those are hit whose bytes are', () => {
  const bytes = film()
  const [stream] = [{ packets: [9, 3, 4].map((size) => ({ size })) }] as unknown as StreamHashes[]
  const second = bytes.lastIndexOf(Buffer.from([4, 1, 2, 3, 4]))
  const hits = (start: number, end: number) =>
    hitPackets('asf', bytes, stream ? [stream] : [], [{ start, end }])?.map((hit) => [...hit])
  expect(hits(second + 2, second + 4)).toEqual([[2]])
  expect(hits(second - 2, second - 1)).toEqual([[1]])
  expect(hits(second - 2, second + 1)).toEqual([[1, 2]])
})

it('a cover stands in one piece, beside the streams of the packets', () => {
  const bytes = film()
  const cover = { kind: 'video', packets: [{ size: 20, position: 30 }] }
  const pictures = { kind: 'video', packets: [9, 3, 4].map((size) => ({ size })) }
  const streams = [cover, pictures] as unknown as StreamHashes[]
  const hits = (start: number, end: number) =>
    hitPackets('asf', bytes, streams, [{ start, end }])?.map((hit) => [...hit])
  expect(hits(49, 60)).toEqual([[0], []])
  expect(hits(50, 60)).toEqual([[], []])
  const last = bytes.lastIndexOf(Buffer.from([4, 1, 2, 3, 4]))
  expect(hits(last + 2, last + 4)).toEqual([[], [2]])
})
