import { differingBits } from './bits.ts'

/** What the containers of movie boxes and of fragments hold, ISO/IEC 14496-12:2022 table 1 and the QuickTime File Format. */
export const CHILDREN: Readonly<Record<string, ReadonlySet<string>>> = {
  moov: set('mvhd trak mvex udta meta iods uuid free skip wide cmov clip ctab prfl rmra pssh ainf sgpd trgr'),
  trak: set('tkhd edts mdia tref udta meta tapt load uuid free skip wide clip matt imap txas trgr sdvp'),
  edts: set('elst free'),
  mdia: set('mdhd hdlr minf elng udta meta uuid free skip'),
  minf: set('vmhd smhd gmhd nmhd hmhd sthd hdlr dinf stbl free skip'),
  dinf: set('dref free'),
  stbl: set(
    'stsd stts ctts cslg stss stps stsc stsz stz2 stco co64 stsh sdtp sgpd sbgp subs saiz saio padb stdp csgp free skip senc',
  ),
  mvex: set('mehd trex leva trep meta'),
  moof: set('mfhd traf pssh meta uuid free skip'),
  traf: set('tfhd tfdt trun sdtp sbgp sgpd subs saiz saio senc meta uuid free skip udta csgp'),
}

const ALL: ReadonlySet<string> = new Set(Object.values(CHILDREN).flatMap((known) => [...known]))

/** True for a type that some container holds. */
export function isKnown(type: string): boolean {
  return ALL.has(type)
}

/** The type that a box among the children of `parent` has, or the only one known there that one flipped bit makes of it. */
export function meant(parent: string, type: string): string {
  const known = CHILDREN[parent]
  if (!known || isKnown(type)) return type
  let near = ''
  for (const other of known) {
    if (differingBits(type, other) !== 1) continue
    if (near !== '') return type
    near = other
  }
  return near === '' ? type : near
}

/** True for a box that belongs into other containers than this one: what lies there is another's content. */
export function isMisplaced(parent: string, type: string): boolean {
  return !CHILDREN[parent]?.has(type) && isKnown(type)
}

/** Boxes without which their container says nothing. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  moov: ['mvhd'],
  trak: ['tkhd', 'mdia'],
  edts: ['elst'],
  mdia: ['mdhd', 'hdlr', 'minf'],
  minf: ['stbl', 'dinf'],
  dinf: ['dref'],
  stbl: ['stsd', 'stts', 'stsc', 'stsz', 'stco'],
  moof: ['mfhd', 'traf'],
  traf: ['tfhd'],
}

/** By container, the containers among its children that must hold something. */
export const HOLDERS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(CHILDREN).map(([parent, known]) => [
    parent,
    [...known].filter((type) => CHILDREN[type] && REQUIRED[type]),
  ]),
)

/** Of a pair of which one is required, the other. */
export const ALTERNATIVE: Readonly<Record<string, string>> = { stsz: 'stz2', stco: 'co64' }

/** Boxes that may be missing, and that the engine reads. */
export const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  moov: ['trak', 'mvex', 'udta', 'meta'],
  trak: ['edts', 'tref', 'udta'],
  minf: ['vmhd', 'smhd', 'gmhd', 'nmhd'],
  stbl: ['ctts', 'stss', 'sgpd', 'sbgp', 'sdtp'],
  mvex: ['trex', 'mehd'],
  moof: ['traf'],
  traf: ['trun', 'tfdt'],
}

/** Bytes of one entry of the tables that are a count and entries of one size. */
export const ENTRY_BYTES: Readonly<Record<string, number>> = {
  stts: 8,
  ctts: 8,
  stsc: 12,
  stss: 4,
  stps: 4,
  stco: 4,
  co64: 8,
}

/** Sizes of the headers that have two: version 0 and version 1. */
export const HEADER_SIZES: Readonly<Record<string, readonly [number, number]>> = {
  mvhd: [108, 120],
  tkhd: [92, 104],
  mdhd: [32, 44],
  tfdt: [16, 20],
}

function set(types: string): ReadonlySet<string> {
  return new Set(types.split(' '))
}
