import { describe, expect, it } from 'vitest'
import { readFrame, writeFrame } from '../../src/syntax/jpeg-markers/frame.ts'
import { readHuffman, writeHuffman } from '../../src/syntax/jpeg-markers/huffman.ts'
import { SOF0 } from '../../src/syntax/jpeg-markers/markers.ts'
import { readQuantisation, writeQuantisation } from '../../src/syntax/jpeg-markers/quantisation.ts'
import { readScanHeader, writeScanHeader } from '../../src/syntax/jpeg-markers/scan-header.ts'
import { segmentAt, walkSegments, writeSegment } from '../../src/syntax/jpeg-markers/segments.ts'

const FRAME = Uint8Array.of(8, 0, 152, 0, 208, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1)
const SCAN = Uint8Array.of(3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)

describe('JPEG marker segments', () => {
  it('come back as they were written', () => {
    const frame = readFrame(SOF0, FRAME)
    expect(frame).toMatchObject({ precision: 8, width: 208, height: 152 })
    expect(frame && writeFrame(frame)).toEqual(FRAME)
    const scan = readScanHeader(SCAN)
    expect(scan && writeScanHeader(scan)).toEqual(SCAN)
    const table = Uint8Array.from([0x01, ...Array.from({ length: 64 }, (_, i) => i + 1)])
    expect(writeQuantisation(readQuantisation(table) ?? [])).toEqual(table)
    const wide = Uint8Array.from([0x12, ...Array.from({ length: 128 }, (_, i) => (i % 2 === 0 ? 1 : i))])
    expect(writeQuantisation(readQuantisation(wide) ?? [])).toEqual(wide)
    const codes = Uint8Array.from([0x10, 0, 2, 1, ...new Array<number>(13).fill(0), 1, 2, 3])
    expect(writeHuffman(readHuffman(codes) ?? [])).toEqual(codes)
  })

  it('that cannot be what they claim are refused', () => {
    expect(readFrame(SOF0, FRAME.with(7, 0x52))).toBeUndefined()
    expect(readFrame(SOF0, FRAME.subarray(0, 12))).toBeUndefined()
    expect(readScanHeader(SCAN.with(0, 2))).toBeUndefined()
    expect(readScanHeader(SCAN.with(3, 1))).toBeUndefined()
    expect(readQuantisation(new Uint8Array(65))).toBeUndefined()
    // three codes of one bit
    expect(readHuffman(Uint8Array.from([0, 3, ...new Array<number>(15).fill(0), 1, 2, 3]))).toBeUndefined()
    expect(readHuffman(Uint8Array.from([0, 1, ...new Array<number>(15).fill(0)]))).toBeUndefined()
  })

  it('are walked up to the scan header, over fill bytes', () => {
    const comment = writeSegment(0xfe, [1, 2, 3])
    const bytes = Uint8Array.from([0xff, 0xd8, ...comment, 0xff, ...writeSegment(0xda, SCAN), 1, 2, 3])
    expect(walkSegments(bytes, 0).map(({ marker }) => marker)).toEqual([0xfe, 0xda])
    expect(segmentAt(bytes, 2)).toMatchObject({ offset: 2, end: 9 })
    expect(segmentAt(bytes.subarray(0, 6), 2)).toBeUndefined()
  })
})
