import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LAYOUTS, type Layout, payloadStart } from '../../../src/formats/mpegts/read/packet.ts'
import {
  discontinuityPacket,
  framed,
  packetOf,
  trimmedPacket,
  withPayload,
} from '../../../src/formats/mpegts/write/packets.ts'
import { sectionPackets } from '../../../src/formats/mpegts/write/section-packets.ts'

const payloads = fc.uint8Array({ minLength: 1, maxLength: 184 })
const layouts = fc.constantFrom(...LAYOUTS)
const pids = fc.nat(0x1fff)
const arrivals = fc.uint8Array({ minLength: 4, maxLength: 4 })

/** Fields of a packet's header and of its adaptation field, ISO/IEC 13818-1:2022 §2.4.3.2 to §2.4.3.5. */
function fieldsOf(packet: Uint8Array) {
  const control = (packet[3] >> 4) & 3
  const length = packet[4]
  const stuffed = packet.subarray(6, 5 + length)
  return {
    sync: packet[0],
    error: packet[1] >> 7,
    start: (packet[1] & 0x40) !== 0,
    pid: ((packet[1] & 0x1f) << 8) | packet[2],
    scrambled: packet[3] >> 6,
    counter: packet[3] & 15,
    control,
    flags: control & 2 && length > 0 ? packet[5] : 0,
    plain: (control & 2) === 0 || stuffed.every((byte) => byte === 0xff),
    payload: packet.subarray(payloadStart(packet, 0)),
  }
}

/** The packet itself, of one as a file frames it. */
const inner = (bytes: Uint8Array, { lead }: Layout): Uint8Array => bytes.subarray(lead, lead + 188)

describe('a packet', () => {
  it('holds its payload at its end, stuffed in front where that is shorter', () => {
    fc.assert(
      fc.property(pids, fc.boolean(), fc.nat(40), payloads, (pid, start, counter, payload) => {
        const packet = packetOf(pid, start, counter, payload)
        expect(packet.length).toBe(188)
        expect(fieldsOf(packet)).toEqual({
          ...{
            sync: 0x47,
            error: 0,
            start,
            pid,
            scrambled: 0,
            counter: counter % 16,
            payload,
            flags: 0,
            plain: true,
          },
          control: payload.length < 184 ? 3 : 1,
        })
      }),
    )
  })

  it('is framed as those of its file are', () => {
    fc.assert(
      fc.property(pids, payloads, arrivals, layouts, (pid, payload, arrival, layout) => {
        const packet = packetOf(pid, true, 3, payload)
        const whole = framed(packet, arrival, layout)
        expect(whole.length).toBe(layout.size)
        expect(inner(whole, layout)).toEqual(packet)
        expect(whole.subarray(0, layout.lead)).toEqual(arrival.subarray(0, layout.lead))
        expect(whole.subarray(layout.lead + 188).every((byte) => byte === 0xff)).toBe(true)
      }),
    )
  })

  it('in front of another says that its counter follows on nothing, and carries nothing else', () => {
    fc.assert(
      fc.property(pids, fc.nat(15), payloads, arrivals, layouts, (pid, counter, payload, arrival, layout) => {
        const next = framed(packetOf(pid, true, counter, payload), arrival, layout)
        const packet = discontinuityPacket(next, layout)
        expect(packet.subarray(0, layout.lead)).toEqual(next.subarray(0, layout.lead))
        expect(fieldsOf(inner(packet, layout))).toEqual({
          ...{ sync: 0x47, error: 0, start: false, pid, scrambled: 0, counter: (counter + 15) % 16 },
          ...{ control: 2, flags: 0x80, plain: true, payload: new Uint8Array(0) },
        })
      }),
    )
  })

  it('with a shorter payload is the same but for that and its stuffing; cut off it keeps what there is', () => {
    fc.assert(
      fc.property(pids, payloads, fc.nat(183), arrivals, layouts, (pid, payload, less, arrival, layout) => {
        const whole = framed(packetOf(pid, true, 5, payload), arrival, layout)
        const shorter = payload.slice(0, Math.max(1, payload.length - less))
        const changed = withPayload(whole, layout, shorter)
        const { control, payload: kept, ...rest } = fieldsOf(inner(changed, layout))
        const { control: before, payload: full, ...other } = fieldsOf(inner(whole, layout))
        expect([changed.length, rest]).toEqual([layout.size, other])
        expect([kept, control]).toEqual([shorter, shorter.length < 184 ? 3 : 1])
        expect([full, before]).toEqual([payload, payload.length < 184 ? 3 : 1])
        expect(changed.subarray(0, layout.lead)).toEqual(whole.subarray(0, layout.lead))
        // the end of the packet is missing
        const cut = whole.subarray(0, layout.lead + 188 - Math.min(less, 188))
        const there = payload.subarray(0, Math.max(0, payload.length - less))
        const trimmed = trimmedPacket(cut, layout)
        if (there.length === 0 || cut.length <= layout.lead + 5) expect(trimmed).toBeUndefined()
        else expect(trimmed && fieldsOf(inner(trimmed, layout)).payload).toEqual(there)
      }),
    )
  })

  it('keeps the flags and the clock of its adaptation field, where it has one', () => {
    const packet = packetOf(0x100, true, 7, new Uint8Array(100).fill(9))
    packet.set([0x50, 1, 2, 3, 4, 5, 6], 5)
    const changed = withPayload(packet, { size: 188, lead: 0 }, new Uint8Array(60).fill(8))
    expect([...changed.subarray(4, 13)]).toEqual([123, 0x50, 1, 2, 3, 4, 5, 6, 0xff])
    expect(fieldsOf(changed)).toMatchObject({ flags: 0x50, payload: new Uint8Array(60).fill(8) })
  })
})

it('a section goes into packets behind one pointer, stuffed to their end, with counters in a row', () => {
  fc.assert(
    fc.property(
      pids,
      fc.uint8Array({ minLength: 1, maxLength: 700 }),
      fc.nat(15),
      (pid, section, counter) => {
        const fields = sectionPackets(pid, section, counter).map(fieldsOf)
        expect(fields.length).toBe(Math.ceil((section.length + 1) / 184))
        for (const [i, field] of fields.entries())
          expect(field).toMatchObject({
            sync: 0x47,
            start: i === 0,
            pid,
            control: 1,
            counter: (counter + i) % 16,
          })
        const joined = fields.flatMap(({ payload }) => [...payload])
        expect(joined.slice(0, section.length + 1)).toEqual([0, ...section])
        expect(joined.slice(section.length + 1).every((byte) => byte === 0xff)).toBe(true)
      },
    ),
  )
})
