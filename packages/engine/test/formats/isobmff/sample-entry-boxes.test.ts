import { describe, expect, it } from 'vitest'
import { BitReader } from '../../../src/bytes/bit-reader.ts'
import { parseVui as parseH264 } from '../../../src/codecs/h264/vui.ts'
import { parseVui as parseHevc } from '../../../src/codecs/hevc/vui.ts'
import { lookBoxes } from '../../../src/formats/isobmff/boxes/sample-entries.ts'
import { BitWriter } from '../../../testing/video/bit-writer.ts'

/** The beginning of a VUI: extended aspect ratio 8:9, no overscan, full range, BT.2020 with HLG. */
function beginning(): BitWriter {
  const bits = new BitWriter().u(1, 1).u(8, 255).u(16, 8).u(16, 9).u(1, 0)
  return bits.u(1, 1).u(3, 5).u(1, 1).u(1, 1).u(8, 9).u(8, 18).u(8, 9).u(1, 0)
}

describe('what a bitstream says of its look', () => {
  const boxes = [
    ['pasp', new Uint8Array([0, 0, 0, 8, 0, 0, 0, 9])],
    ['colr', new Uint8Array([...Buffer.from('nclx'), 0, 9, 0, 18, 0, 9, 0x80])],
  ]

  it('is written into the sample entry of H.264', () => {
    const bytes = beginning().u(1, 0).u(1, 0).u(1, 0).u(1, 0).u(1, 0).trailing().bytes()
    expect(lookBoxes(parseH264(new BitReader(bytes)))).toEqual(boxes)
  })

  it('is written into the sample entry of HEVC', () => {
    const bytes = beginning().u(3, 0).u(1, 0).u(1, 0).u(1, 0).trailing().bytes()
    expect(lookBoxes(parseHevc(new BitReader(bytes), 1))).toEqual(boxes)
  })

  it('is left out where it says nothing but the usual', () => {
    const bytes = new BitWriter().u(8, 0).u(8, 0).trailing().bytes()
    expect(lookBoxes(parseH264(new BitReader(bytes)))).toEqual([])
    expect(lookBoxes(undefined)).toEqual([])
  })
})
