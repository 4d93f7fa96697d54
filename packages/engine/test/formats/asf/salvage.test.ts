import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { newPayload } from '../../../src/formats/asf/read/packet.ts'
import { PayloadTable } from '../../../src/formats/asf/read/packet-table.ts'
import { LENGTH_FIELD, salvage, USUAL_PROPERTIES } from '../../../src/formats/asf/read/salvage.ts'
import { SILENT } from '../../../src/model/monitor.ts'
import { compressed, head, payload } from './support/packets.ts'

const SIZE = 256

/** What `salvage` finds in `bytes`, a payload of each stream having stood before. */
async function found(bytes: readonly number[], isOpen: boolean) {
  const payloads = new PayloadTable(1000)
  for (const stream of [1, 2])
    payloads.push({ ...newPayload(), stream, number: 4, time: 1000, size: 9, length: 9 }, LENGTH_FIELD)
  const unexplained = await salvage(
    new ByteReader(new MemorySource(Uint8Array.from(bytes))),
    0,
    bytes.length,
    {
      sizes: { least: SIZE, most: SIZE },
      knows: (stream) => stream === 1 || stream === 2,
      habits: {
        properties: new Set([USUAL_PROPERTIES]),
        starts: new Set([0x82]),
        replicated: new Set(),
        uncorrected: true,
      },
      inGrid: isOpen || bytes.length % SIZE === 0,
      isOpen,
      next: undefined,
      payloads,
    },
    SILENT,
  )
  const rows = Array.from({ length: payloads.length - 2 }, (_, i) => i + 2)
  return { unexplained, rows: rows.map((row) => `${payloads.stream[row]}:${payloads.number[row]}`) }
}

describe('payloads in a packet that was hit', () => {
  const whole = [
    ...head(4, 0),
    ...payload(1, 5, 60),
    ...compressed(2, 5),
    ...payload(1, 6, 70),
    ...payload(2, 6, 31),
  ]
  const rest = SIZE - whole.length

  it('are all found in front of the end of a file that breaks off', async () => {
    const { rows, unexplained } = await found(whole.slice(0, whole.length - 20), true)
    expect(rows).toEqual(['1:5', '2:5', '1:6'])
    expect(unexplained).toBe(0)
  })

  it('are found behind the one whose header was overwritten', async () => {
    const bytes = [...whole, ...Array.from({ length: rest }, () => 0)]
    const at = head(4, 0).length
    bytes.fill(0, 0, at + 70)
    const { rows } = await found(bytes, false)
    expect(rows).toEqual(['2:5', '1:6', '2:6'])
  })

  it('are found where bytes were put in elsewhere, those of several objects, too', async () => {
    const [first, second] = [payload(1, 5, 60), payload(2, 6, 31)]
    const torn = [...first.slice(0, 40), 0xee, 0xee, 0xee, ...first.slice(40)]
    const { rows } = await found([...torn, ...compressed(2, 5), ...payload(1, 6, 70), ...second], false)
    expect(rows).toEqual(['2:5', '1:6', '2:6'])
    const hit = compressed(2, 5)
    hit.splice(-4, 0, 0xee)
    const before = await found([...head(3, 0), ...first, ...hit, ...payload(1, 6, 70)], false)
    expect(before.rows).toEqual(['1:5', '1:6'])
  })

  it('leave no doubt where bytes overwritten with others stand that begin no payload', async () => {
    const bytes = [...whole, ...Array.from({ length: rest }, () => 0)]
    const at = head(4, 0).length + payload(1, 5, 60).length
    for (let i = 0; i < 60; i++) bytes[at + i] = 0xc1 + ((i * 7) % 50)
    const { rows, unexplained } = await found(bytes, false)
    expect(rows).toEqual(['1:5', '2:6'])
    expect(unexplained).toBe(0)
  })

  it('leave a doubt where a header of which two bits were hit may still stand for one', async () => {
    const bytes = [...whole, ...Array.from({ length: rest }, () => 0)]
    const at = head(4, 0).length + payload(1, 5, 60).length + compressed(2, 5).length
    bytes[at + 5] ^= 0x40
    bytes[at + 16] ^= 0x10
    const { rows, unexplained } = await found(bytes, false)
    expect(rows).toEqual(['1:5', '2:5', '2:6'])
    expect(unexplained).toBeGreaterThan(60)
  })

  it('are found in front of padding, too, where bytes are missing elsewhere', async () => {
    const first = [...head(3, 40), ...payload(1, 5, 60), ...payload(2, 5, 70)]
    const padding = Array.from({ length: 40 }, () => 0)
    const next = [...head(1, 0), ...payload(1, 7, 60)]
    const { rows } = await found([...first.slice(31), ...padding, ...next.slice(0, 60)], false)
    expect(rows).toEqual(['2:5'])
  })

  it('are found in front of padding that is not empty, where bytes were put in', async () => {
    const stale = Array.from({ length: 40 }, (_, i) => 0xc1 + (i % 50))
    const [first, second] = [payload(1, 5, 60), payload(2, 5, 70)]
    const put = [...first.slice(0, 40), ...stale, ...first.slice(40)]
    const padding = SIZE - head(2, 0).length - first.length - second.length
    const filled = Array.from({ length: padding }, (_, i) => stale[i % stale.length])
    const { rows } = await found([...head(2, padding), ...put, ...second, ...filled], false)
    expect(rows).toEqual(['2:5'])
  })

  it('are found in front of one from which bytes are missing', async () => {
    const last = payload(1, 6, 80)
    const bytes = [...head(3, 0), ...payload(1, 5, 60), ...payload(2, 5, 50), ...last.slice(0, -30)]
    const { rows } = await found(bytes, false)
    expect(rows).toEqual(['1:5', '2:5'])
  })
})
