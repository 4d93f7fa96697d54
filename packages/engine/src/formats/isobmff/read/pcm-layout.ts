import type { ByteReader } from '../../../bytes/reader.ts'
import { bodyOf } from '../../../syntax/iso-boxes/box.ts'
import type { SampleEntry } from '../boxes/stsd.ts'

/** How the samples of linear or companded PCM are laid out. */
export interface PcmLayout {
  readonly endian: 'big' | 'little'
  readonly bitsPerSample: number
  readonly float: 0 | 1
  readonly signed: 0 | 1
  /** Companding law where there is one. */
  readonly law: 'linear' | 'ulaw' | 'alaw'
  readonly channels: number
}

const FIXED: Readonly<Record<string, { bits: number; float?: 1; law?: 'ulaw' | 'alaw' }>> = {
  in24: { bits: 24 },
  in32: { bits: 32 },
  fl32: { bits: 32, float: 1 },
  fl64: { bits: 64, float: 1 },
  ulaw: { bits: 8, law: 'ulaw' },
  alaw: { bits: 8, law: 'alaw' },
}

/** The layout of a PCM sample entry, or undefined when it is none or its fields are impossible. */
export function pcmLayout(reader: ByteReader, entry: SampleEntry): PcmLayout | undefined {
  const audio = entry.audio
  if (!audio || audio.channels < 1 || audio.channels > 255) return undefined
  const base = { channels: audio.channels, float: 0, signed: 1, law: 'linear', endian: 'big' } as const
  const fixed = FIXED[entry.format]
  if (fixed) {
    const endian = isLittle(reader, entry) ? 'little' : 'big'
    return { ...base, bitsPerSample: fixed.bits, float: fixed.float ?? 0, law: fixed.law ?? 'linear', endian }
  }
  switch (entry.format) {
    case 'twos':
      return { ...base, bitsPerSample: audio.bits === 8 ? 8 : 16 }
    case 'sowt':
      return { ...base, bitsPerSample: audio.bits === 8 ? 8 : 16, endian: 'little' }
    case 'raw ':
    case 'NONE':
      return audio.bits === 16 ? { ...base, bitsPerSample: 16 } : { ...base, bitsPerSample: 8, signed: 0 }
    case 'lpcm':
      return lpcmLayout(audio.bits, audio.lpcmFlags, base)
    case 'ipcm':
    case 'fpcm':
      return isoLayout(reader, entry, base)
    default:
      return undefined
  }
}

type Base = Pick<PcmLayout, 'channels' | 'float' | 'signed' | 'law' | 'endian'>

/** QuickTime sound description version 2: float 1, big-endian 2, signed 4. */
function lpcmLayout(bits: number, flags: number, base: Base): PcmLayout | undefined {
  if (bits < 8 || bits > 64 || bits % 8 !== 0) return undefined
  return {
    ...base,
    bitsPerSample: bits,
    float: flags & 1 ? 1 : 0,
    signed: flags & 5 ? 1 : 0,
    endian: flags & 2 ? 'big' : 'little',
  }
}

/** ISO/IEC 23003-5:2020 §5: the `pcmC` box says endianness and sample size. */
function isoLayout(reader: ByteReader, entry: SampleEntry, base: Base): PcmLayout | undefined {
  const box = entry.boxes.find((child) => child.type === 'pcmC')
  if (!box || bodyOf(box) + 6 > box.end) return undefined
  const bits = reader.u8(bodyOf(box) + 5)
  if (bits < 8 || bits > 64 || bits % 8 !== 0) return undefined
  const endian = reader.u8(bodyOf(box) + 4) & 1 ? 'little' : 'big'
  return { ...base, bitsPerSample: bits, float: entry.format === 'fpcm' ? 1 : 0, endian }
}

/** QuickTime's `enda` box turns the big-endian formats around. */
function isLittle(reader: ByteReader, entry: SampleEntry): boolean {
  const box = entry.boxes.find((child) => child.type === 'enda')
  return box !== undefined && bodyOf(box) + 2 <= box.end && reader.u16(bodyOf(box)) === 1
}
