import { describe, expect, it } from 'vitest'
import { Edits } from '../../../src/bytes/edits.ts'
import { HeaderRepairs, UNCOUNTED } from '../../../src/formats/mpegts/read/header-repairs.ts'
import { LAYOUTS } from '../../../src/formats/mpegts/read/packet.ts'
import { PidStream } from '../../../src/formats/mpegts/read/stream.ts'
import { Findings } from '../../../src/model/finding.ts'
import { SAMPLE_DAMAGED, SampleTable } from '../../../src/model/sample-table.ts'

/** Where the packet stands in its file. */
const AT = 1880

/** A packet whose adaptation field of 170 bytes is stuffing, but for its last bytes. */
function packet(strange: number): Uint8Array {
  const bytes = new Uint8Array(188).fill(0x21)
  bytes.set([0x47, 0x01, 0x01, 0x3a, 170, 0])
  return bytes.fill(0xff, 6, 175 - strange)
}

/** What becomes of a packet of a PID that had so many adaptation fields before, and so many that were none. */
function read(bytes: Uint8Array, fields: number, noFields: number) {
  const stream = new PidStream(0x101)
  Object.assign(stream, { fields, noFields, counter: 9, table: new SampleTable() })
  stream.row = stream.table?.push(0, 0, 1, 0, 0, 0) ?? -1
  const findings = new Findings(10)
  const edits = new Edits()
  const start = new HeaderRepairs(LAYOUTS[0], findings, edits).read(stream, bytes, 0, AT)
  const changes: number[][] = []
  edits.each((offset, length, put) => {
    changes.push([offset, length, put.length])
  })
  return { start, changes, damaged: ((stream.table?.flags[0] ?? 0) & SAMPLE_DAMAGED) !== 0 }
}

describe('an adaptation field that was hit', () => {
  it('is left alone when it is whole', () => {
    expect(read(packet(0), 100, 0)).toEqual({ start: 175, changes: [], damaged: false })
  })

  it('gets its stuffing back', () => {
    expect(read(packet(2), 100, 0)).toEqual({ start: 175, changes: [[AT + 4, 171, 171]], damaged: false })
  })

  it('goes with its packet when it was overwritten, and the unit in progress was hit', () => {
    expect(read(packet(100), 100, 0)).toEqual({ start: UNCOUNTED, changes: [[AT, 188, 0]], damaged: true })
  })

  it('is none where a PES packet begins right behind bytes that no flag names', () => {
    const bytes = packet(100)
    bytes[1] |= 0x40
    bytes.set([0, 0, 1, 0xbd], 175)
    expect(read(bytes, 100, 0)).toEqual({ start: 175, changes: [], damaged: false })
  })

  it('is none where a PES packet begins behind stuffing of which a byte is not what turned bits make', () => {
    const bytes = packet(0)
    bytes[1] |= 0x40
    bytes.set([0, 0, 1, 0xe0], 175)
    bytes[6] = 0
    expect(read(bytes, 100, 0)).toEqual({ start: 175, changes: [], damaged: false })
    bytes[6] = 0xfb
    expect(read(bytes, 100, 0)).toEqual({ start: 175, changes: [[AT + 4, 171, 171]], damaged: false })
  })

  it('is none in a scrambled packet without one, whatever stands there', () => {
    const bytes = new Uint8Array(376).fill(0xff)
    bytes.set([0x47, 0x01, 0x01, 0x9a, 250, 0x86, 0, 3, 200])
    bytes.fill(0x21, 9, 188)
    expect(read(bytes, 100, 0)).toEqual({ start: 4, changes: [], damaged: false })
  })

  it('is taken as it is where other fields of its PID are none, too', () => {
    expect(read(packet(100), 100, 10)).toEqual({ start: 175, changes: [], damaged: false })
  })
})
