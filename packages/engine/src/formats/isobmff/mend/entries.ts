import type { Findings } from '../../../model/finding.ts'
import { isFourcc } from '../../../syntax/iso-boxes/box.ts'
import { boxSize, headerMended } from '../findings.ts'
import { differingBits, flip } from './bits.ts'
import { mendDescriptors } from './descriptors.ts'
import type { Patches } from './patched-source.ts'
import { isFormat } from './registered.ts'

/** Entries of one sample description that are looked at. */
const MAX_ENTRIES = 256
/** Boxes that fill up room kept behind the entries. */
const ROOM: readonly string[] = ['free', 'skip', 'wide']
/** Bytes before the boxes of a plain visual and sound entry. */
const VISUAL = 86
const SOUND = [36, 52, 72]

/** Formats of pictures by the box that configures them, ISO/IEC 14496-15:2022 §5.4.2 and §8.4.1. */
const CONFIGURED: Readonly<Record<string, readonly string[]>> = {
  avcC: ['avc1', 'avc3'],
  hvcC: ['hvc1', 'hev1'],
}

/** Formats of sample entries that are common enough to take an unknown one in one bit's distance for them. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  vide: [
    'avc1',
    'avc3',
    'hvc1',
    'hev1',
    'av01',
    'vp09',
    'vp08',
    'mp4v',
    's263',
    'jpeg',
    'apch',
    'apcn',
    'apcs',
    'apco',
    'ap4h',
    'AVdn',
    'AVdh',
    'dvc ',
    'dvcp',
    'dvpp',
    'dv5p',
    'dv5n',
    'dvh5',
    'dvh6',
  ],
  soun: [
    'mp4a',
    'alac',
    '.mp3',
    'ac-3',
    'ec-3',
    'samr',
    'sawb',
    'Opus',
    'fLaC',
    'iamf',
    'mhm1',
    'ima4',
    'twos',
    'sowt',
    'in24',
    'in32',
    'fl32',
    'lpcm',
    'ipcm',
    'ulaw',
    'alaw',
    'raw ',
  ],
}
/** Boxes within entries. */
const INNER: readonly string[] = [
  'avcC',
  'hvcC',
  'esds',
  'av1C',
  'vpcC',
  'd263',
  'damr',
  'dOps',
  'dac3',
  'dec3',
  'alac',
  'iacb',
  'mhaC',
  'wave',
  'colr',
  'pasp',
  'btrt',
  'fiel',
  'clap',
  'chan',
  'glbl',
  'gama',
  'frma',
  'enda',
  'SA3D',
  'st3d',
  'sv3d',
  'clli',
  'mdcv',
  'dvcC',
  'dvvC',
  'strf',
  'ACLR',
  'ARES',
  'AORD',
  'APRG',
]
/** Boxes without which an entry of a format cannot be decoded. */
const NEEDED: Readonly<Record<string, string>> = {
  avc1: 'avcC',
  avc3: 'avcC',
  hvc1: 'hvcC',
  hev1: 'hvcC',
  av01: 'av1C',
  vp09: 'vpcC',
  vp08: 'vpcC',
  mp4v: 'esds',
  mp4a: 'esds',
  s263: 'd263',
  samr: 'damr',
  Opus: 'dOps',
  'ac-3': 'dac3',
  'ec-3': 'dec3',
  alac: 'alac',
  iamf: 'iacb',
}

/**
 * Mends flipped bits in the headers of the sample entries of a `stsd` box at an offset, ISO/IEC 14496-12:2022 §8.5.2: their
 * number, sizes, formats and the sizes and types of the boxes in them.
 */
export function mendSampleDescription(
  patches: Patches,
  offset: number,
  size: number,
  handler: string,
  findings: Findings,
): void {
  const end = offset + size
  let entries = 0
  for (let at = offset + 16; at + 16 <= end && entries < MAX_ENTRIES; entries++) {
    if (entries > 0 && ROOM.includes(patches.fourcc(at + 4))) break
    const declared = patches.u32(at)
    let length = declared
    if (declared < 16 || !isEntry(patches, at + declared, end)) {
      length = end - at
      for (let bit = 0; bit < 32 && length === end - at; bit++) {
        const other = flip(declared, bit)
        if (other >= 16 && at + other < end && isEntry(patches, at + other, end)) length = other
      }
      findings.add(boxSize(patches.fourcc(at + 4), at, declared, length, '8.5.2'))
      patches.put32(at, length)
    }
    mendFormat(patches, at, handler, findings)
    mendInner(patches, at, at + length, handler, findings)
    at += length
  }
  const count = patches.u32(offset + 12)
  if (entries > 0 && count !== entries && entries < MAX_ENTRIES) {
    findings.add(headerMended(offset, `count ${count} of 'stsd'`, `${entries}`))
    patches.put32(offset + 12, entries)
  }
}

/** The end, or the header of another entry: its six reserved bytes are zero. */
function isEntry(patches: Patches, at: number, end: number): boolean {
  if (at === end) return true
  return (
    at + 16 <= end &&
    patches.u32(at) >= 16 &&
    at + patches.u32(at) <= end &&
    isFourcc(patches.fourcc(at + 4)) &&
    patches.u32(at + 8) === 0
  )
}

function mendFormat(patches: Patches, at: number, handler: string, findings: Findings): void {
  const format = patches.fourcc(at + 4)
  const known = FORMATS[handler] ?? []
  if (known.includes(format) || isFormat(format)) return
  const near = known.filter((one) => differingBits(one, format) === 1)
  const configuration = near.length > 1 && handler === 'vide' ? patches.fourcc(at + VISUAL + 4) : ''
  const fitting = near.length > 1 ? near.filter((one) => CONFIGURED[configuration]?.includes(one)) : near
  if (fitting.length !== 1) return
  findings.add(headerMended(at, format, fitting[0]))
  patches.putFourcc(at + 4, fitting[0])
}

/** Mends the headers of the boxes in an entry, where they start where its layout says. */
function mendInner(patches: Patches, start: number, end: number, handler: string, findings: Findings): void {
  const format = patches.fourcc(start + 4)
  const heads = handler === 'vide' ? [VISUAL] : handler === 'soun' ? SOUND : []
  const head = heads.find(
    (bytes) => near(patches.fourcc(start + bytes + 4), 1).length > 0 && start + bytes + 8 <= end,
  )
  if (head === undefined) return
  const found: { at: number; type: string }[] = []
  for (let at = start + head; at + 8 <= end; ) {
    const declared = patches.u32(at)
    if (declared === 0) break
    let size = declared
    if (size < 8 || !isInner(patches, at + size, end)) {
      size = 0
      for (let bit = 0; bit < 32; bit++) {
        const other = flip(declared, bit)
        if (other >= 8 && isInner(patches, at + other, end)) size = Math.max(size, other)
      }
      if (size === 0) return
      findings.add(boxSize(patches.fourcc(at + 4), at, declared, size, '8.5.2'))
      patches.put32(at, size)
    }
    found.push({ at, type: patches.fourcc(at + 4) })
    at += size
  }
  mendTypes(patches, found, NEEDED[format], findings)
  for (const { at } of found) {
    // version and flags stand between header and descriptors
    if (patches.fourcc(at + 4) === 'esds') mendDescriptors(patches, at + 12, at + patches.u32(at), findings)
  }
}

function mendTypes(
  patches: Patches,
  found: readonly { readonly at: number; readonly type: string }[],
  needed: string | undefined,
  findings: Findings,
): void {
  const holds = (type: string): boolean => found.some((box) => box.type === type)
  for (const box of found) {
    if (INNER.includes(box.type)) continue
    const close = near(box.type, 1).filter((type) => !holds(type))
    const type =
      needed !== undefined && close.includes(needed) ? needed : close.length === 1 ? close[0] : undefined
    if (type === undefined) continue
    findings.add(headerMended(box.at, box.type, type))
    patches.putFourcc(box.at + 4, type)
  }
}

/**
 * The end of an entry, a terminating zero, or the header of a box within it: one that ends with the entry may have any type, some
 * programs leave what they call nothing there.
 */
function isInner(patches: Patches, at: number, end: number): boolean {
  if (at === end || (at + 4 === end && patches.u32(at) === 0)) return true
  if (at + 8 > end) return false
  const size = patches.u32(at)
  if (at + size === end) return true
  return (size === 0 || (size >= 8 && at + size <= end)) && isFourcc(patches.fourcc(at + 4))
    ? true
    : near(patches.fourcc(at + 4), 0).length > 0
}

function near(type: string, bits: number): readonly string[] {
  return INNER.filter((one) => differingBits(one, type) <= bits)
}
