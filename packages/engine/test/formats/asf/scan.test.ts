import { describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/bytes/limits.ts'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { GUID, guidBytes } from '../../../src/formats/asf/read/guids.ts'
import { AFTER_HOLE, REWRITTEN } from '../../../src/formats/asf/read/packet-table.ts'
import { scan } from '../../../src/formats/asf/read/scan.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { lonePacket, packet, payload } from './support/packets.ts'

const SIZE = 256

/** Packets whose pictures and sounds have the numbers 2 to 9. */
const PACKETS = [2, 4, 6, 8].map((number) =>
  packet(
    SIZE,
    payload(1, number, 40),
    payload(2, number, 40),
    payload(1, number + 1, 40),
    payload(2, number + 1, 40),
  ),
)

async function scanned(bytes: readonly number[], size = SIZE) {
  const reader = new ByteReader(new MemorySource(Uint8Array.from(bytes)))
  const sizes = { least: size, most: size }
  return scan(
    reader,
    0,
    sizes,
    (stream) => stream === 1 || stream === 2,
    () => false,
    DEFAULT_LIMITS,
    SILENT,
  )
}

/** `stream:number bytes` of each payload. */
async function payloadsOf(bytes: readonly number[]): Promise<string[]> {
  const { payloads } = await scanned(bytes)
  return Array.from(
    { length: payloads.length },
    (_, row) => `${payloads.stream[row]}:${payloads.number[row]} ${payloads.size[row]}`,
  )
}

const whole = [2, 3, 4, 5, 6, 7, 8, 9].flatMap((number) => [`1:${number} 40`, `2:${number} 40`])

describe('packets', () => {
  it('give all their payloads', async () => {
    expect(await payloadsOf(PACKETS.flat())).toEqual(whole)
  })

  it('keep the data that payloads repeat of their objects, however long it is', async () => {
    const long = payload(1, 2, 40)
    long[6] = 255
    long.splice(15, 0, ...Array.from({ length: 247 }, () => 7))
    const { payloads } = await scanned(packet(1024, long, payload(2, 2, 40)), 1024)
    expect([payloads.header[0], payloads.size[0]]).toEqual([264, 40])
  })

  it('of which bytes are missing keep the payloads that the last one would take in by its length', async () => {
    const [first, , third, last] = PACKETS
    // a payload that a packet is filled with: of its 181 bytes, 100 are missing
    const long = packet(SIZE, payload(1, 4, 28), payload(2, 4, 181))
    const torn = long.slice(0, 100).concat(long.slice(200))
    const found = await payloadsOf([...first, ...torn, ...third, ...last])
    expect(found).toEqual([...whole.slice(0, 4), '1:4 28', '2:4 81', ...whole.slice(8)])
  })

  it('that bytes missing in front of them pull into the padding of the one before are kept', async () => {
    const [first, , third, last] = PACKETS
    // of 143 bytes of padding 60 are left, and of the last payload 20 are missing
    const torn = packet(SIZE, payload(1, 4, 40), payload(2, 4, 26)).slice(0, 256 - 143)
    const cut = torn.slice(0, 93).concat(Array(60).fill(0))
    const found = await payloadsOf([...first, ...cut, ...third, ...last])
    expect(found).toEqual([...whole.slice(0, 4), '1:4 40', '2:4 26', ...whole.slice(8)])
  })

  it('are found again behind bytes put in though the next one is cut off', async () => {
    const [first, second, third, last] = PACKETS
    const long = second.slice(0, 100).concat(Array(60).fill(0xff), second.slice(100))
    const found = await payloadsOf([...first, ...long, ...third, ...last.slice(0, 90)])
    expect(found).toEqual(expect.arrayContaining(whole.slice(8, 12)))
    const single = packet(SIZE, payload(1, 6, SIZE - 30))
    expect(await payloadsOf([...first, ...long, ...single, ...single.slice(0, 90)])).toContain(
      `1:6 ${SIZE - 30}`,
    )
  })

  it('whose payloads fill them are found behind foreign bytes though the next one was hit', async () => {
    const hit = [...PACKETS[2]]
    // where the second payload stands in its object
    hit[13 + 57 + 4] ^= 16
    const { holes, mendedPackets } = await scanned([
      ...PACKETS[0],
      ...Array(91).fill(7),
      ...PACKETS[1],
      ...hit,
      ...PACKETS[3],
    ])
    expect(holes.map(({ length }) => length)).toEqual([91])
    expect(mendedPackets).toBe(1)
  })

  it('with padding of which the last is cut off leave no doubt', async () => {
    const [first, second, third] = [5, 6, 7].map((number) => lonePacket(SIZE, 1, number, 9))
    const { payloads, holes } = await scanned([...first, ...second, ...third.slice(0, 150)])
    expect(payloads.length).toBe(2)
    expect(holes.map(({ unexplained }) => unexplained)).toEqual([0])
  })

  it('of which the last one lost bytes end where the index behind them begins', async () => {
    const index = [...guidBytes(GUID.simpleIndex), 56, ...Array(39).fill(0)]
    const torn = packet(SIZE, payload(1, 8, 40), payload(2, 8, 165)).slice(0, SIZE - 30)
    const { payloads, indexes } = await scanned([...PACKETS.slice(0, 3).flat(), ...torn, ...index])
    expect(indexes.map(({ offset }) => offset)).toEqual([4 * SIZE - 30])
    expect(payloads.size[payloads.length - 1]).toBe(139)
  })

  it('keep what survives of one that was hit right behind missing bytes', async () => {
    const [first, second, third, last] = PACKETS
    const hit = [...third]
    // the header of its second payload
    hit.fill(0xff, 13 + 57, 13 + 57 + 17)
    const found = await payloadsOf([...first, ...second.slice(0, 120), ...second.slice(200), ...hit, ...last])
    expect(found).toEqual(expect.arrayContaining(['1:6 40', '1:7 40', '2:7 40', ...whole.slice(12)]))
  })

  it.each([
    ['number and replicated length', 1, 0x80, 6, 0x08],
    ['position and object size', 3, 0x80, 9, 0x40],
    ['position alone', 2, 0x80, 4, 0x08],
  ])(
    'of which the first payload has two hit fields lose nothing: %s',
    async (_, field, bit, other, second) => {
      const hit = PACKETS.flat()
      const at = SIZE + 13
      hit[at + field] ^= bit
      hit[at + other] ^= second
      expect(await payloadsOf(hit)).toEqual(whole)
    },
  )

  it('of which a bit was turned back are remembered to stand behind a hole', async () => {
    const [first, second, third, last] = PACKETS
    const { packets, mendedPackets } = await scanned([
      ...first,
      ...second.map(() => 0),
      ...third.with(13 + 6, 9),
      ...last,
    ])
    expect(mendedPackets).toBe(1)
    expect([...packets.flags.subarray(0, 3)]).toEqual([0, REWRITTEN | AFTER_HOLE, 0])
  })
})

it('reads no name of an object at each place where the first byte of one stands', async () => {
  const filler = Array.from({ length: 30_000 }, (_, i) => [0xff, 0xfb, 0x90][i % 3])
  const calls = vi.spyOn(ByteReader.prototype, 'bytes')
  await scanned([...PACKETS.flat(), ...filler])
  expect(calls.mock.calls.length).toBeLessThan(1000)
  vi.restoreAllMocks()
})
