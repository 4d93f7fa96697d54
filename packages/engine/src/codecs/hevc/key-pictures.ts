import type { ByteReader } from '../../bytes/reader.ts'
import { unescaped } from '../nal/rbsp.ts'
import type { HevcConfig } from './hvcc.ts'
import { VCL_LAST } from './nal-types.ts'
import type { SliceFacts } from './slice-data/slice-reader.ts'
import { SliceHeader } from './slice-header.ts'

/** Key pictures looked at, and NAL units of one. */
const CHOICE = 12
const MAX_NALS = 256
const MAX_SLICE = 1 << 23
const INTRA = 2

/** Where an access unit lies, in bytes. */
export interface UnitPlace {
  readonly offset: number
  readonly length: number
}

/** A key picture whose slices are one. */
export interface KeyPicture {
  readonly bytes: Uint8Array
  readonly facts: SliceFacts
  /** Index of its picture parameter set. */
  readonly pps: HevcConfig['pps'][number]
}

/**
 * Pictures of one intra slice among the first units, the shortest first, as far as their headers read with the record's sets: how
 * long a slice's address is depends on the size, so only pictures of one slice are read without knowing it.
 */
export function keyPictures(
  reader: ByteReader,
  units: readonly UnitPlace[],
  config: HevcConfig,
): KeyPicture[] {
  const sets = {
    sps: (id: number) => config.sps.find((set) => set.id === id),
    pps: (id: number) => config.pps.find((set) => set.id === id),
  }
  const header = new SliceHeader()
  const found: KeyPicture[] = []
  for (const unit of units) {
    const slices: KeyPicture[] = []
    const end = unit.offset + unit.length
    let at = unit.offset
    for (let count = 0; count < MAX_NALS && at + config.lengthSize < end; count++) {
      const length = lengthAt(reader, at, config.lengthSize)
      at += config.lengthSize
      if (length < 3 || length > MAX_SLICE || at + length > end) break
      if (reader.u8(at) >> 1 <= VCL_LAST) {
        const bytes = unescaped(reader.bytes(at, length).slice())
        if (!header.parse(bytes, bytes.length, sets) || header.type !== INTRA || !header.pps) break
        const { dataByte: start, address, qp, saoLuma, saoChroma, pps } = header
        slices.push({ bytes, facts: { start, end: bytes.length, address, qp, saoLuma, saoChroma }, pps })
      }
      at += length
    }
    if (slices.length === 1) found.push(slices[0])
    if (found.length >= CHOICE) break
  }
  return found.sort((a, b) => a.bytes.length - b.bytes.length)
}

function lengthAt(reader: ByteReader, at: number, size: number): number {
  return size === 4 ? reader.u32(at) : size === 2 ? reader.u16(at) : reader.u24(at)
}
