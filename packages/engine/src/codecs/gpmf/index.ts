import type { ByteReader } from '../../bytes/reader.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchFourcc } from '../search-fourcc.ts'

/** 'DEVC': each device's telemetry opens with it (GoPro Metadata Format: key, type, size, repeat, then nested keys). */
const DEVC = 0x44455643
/** 'DVID': the device's number, the first key inside. */
const DVID = 0x44564944
const HEADER = 8
/** A second of telemetry of all sensors stays under this. */
const MAX_DEVICE_BYTES = 1 << 22

/** GoPro telemetry, one payload of one or several devices a sample. */
export const gpmf: Codec = {
  name: 'gpmd',
  recogniser: () => new GpmfRecogniser(),
}

class GpmfRecogniser implements Recogniser {
  readonly codec = 'gpmd'
  readonly timescale = 0
  readonly orderStep = 1
  readonly selfDelimiting = true
  #count = 0

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    let at = offset
    const first = deviceId(reader, offset)
    let devices = 0
    for (;;) {
      const length = deviceLength(reader, at, end)
      // a device that comes again opens the next sample
      if (length === 0 || (devices > 0 && deviceId(reader, at) === first)) break
      at += length
      devices++
    }
    if (devices === 0) return false
    unit.length = at - offset
    unit.evidence = 48 + (devices - 1) * 16
    unit.key = true
    unit.duration = 0
    unit.gap = 0
    return true
  }

  accept(_reader: ByteReader, _offset: number, unit: Unit): void {
    unit.order = this.#count++
    unit.restart = false
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    return searchFourcc(reader, DEVC, from, end)
  }
}

function deviceLength(reader: ByteReader, at: number, end: number): number {
  if (at + HEADER + HEADER > end || reader.u32(at) !== DEVC || reader.u8(at + 4) !== 0) return 0
  const payload = reader.u8(at + 5) * reader.u16(at + 6)
  const length = HEADER + ((payload + 3) & ~3)
  if (payload < HEADER || length > MAX_DEVICE_BYTES || at + length > end) return 0
  return reader.u32(at + HEADER) === DVID ? length : 0
}

function deviceId(reader: ByteReader, at: number): number {
  return reader.u32(at + HEADER + HEADER)
}
