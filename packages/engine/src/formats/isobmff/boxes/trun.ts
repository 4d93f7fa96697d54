import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, flagsOf } from '../../../syntax/iso-boxes/box.ts'
import { headerMended } from '../findings.ts'
import { flip } from '../mend/bits.ts'
import { heldEntries } from './tables.ts'

/** Fields that a run may have before its entries, and that an entry may have, by their flags. */
const FIELDS = [0x1, 0x4]
const COLUMNS = [0x100, 0x200, 0x400, 0x800]

/** Numbers of a run, one for each of its samples: 32 bits each, or plain ones of short runs, which take a quarter of the memory. */
export type Column = Uint32Array | Int32Array | number[]

/** Samples of a run up to which its columns are plain. */
const SHORT = 8
/** Columns of one number that are shared. */
const MOST_SHARED = 1024

/** Track run box, ISO/IEC 14496-12:2022 §8.8.8. Columns are undefined where the run leaves a field to the defaults. */
export interface TrackRun {
  readonly count: number
  /** From the fragment's base to the first sample, in bytes. */
  dataOffset: number | undefined
  readonly firstFlags: number | undefined
  durations: Column | undefined
  sizes: Column | undefined
  readonly flags: Column | undefined
  readonly compositions: Column | undefined
}

/** Samples of a run without a column of its own: a second of the busiest audio, times a thousand. */
const MAX_UNBACKED = 100_000

/**
 * @param usual flags that other runs have: of several readings that fill the box the one with such flags
 * @param shared columns of one number by that: many films have fragments of one sample, and their runs need not hold one each
 */
export function parseTrackRun(
  reader: ByteReader,
  box: Box,
  usual: ReadonlySet<number>,
  shared: Map<number, Column>,
  findings: Findings,
): TrackRun | undefined {
  let at = bodyOf(box) + 4
  if (at + 4 > box.end) return undefined
  const { has, declared } = mendedShape(reader, box, usual, findings)
  at += 4
  const dataOffset = has & 0x1 ? reader.i32(at) : undefined
  if (has & 0x1) at += 4
  const firstFlags = has & 0x4 ? reader.u32(at) : undefined
  if (has & 0x4) at += 4
  const entry = entryBytes(has)
  const count =
    entry === 0
      ? Math.min(declared, MAX_UNBACKED)
      : heldEntries(reader, box, at, entry, declared, findings, '8.8.8')
  const column = (bit: number, signed = false): Column | undefined => {
    if ((has & bit) === 0) return undefined
    // those of lower flags stand before it
    const field = at + entryBytes(has & (bit - 1))
    if (count === 1) return columnOfOne(signed ? reader.i32(field) : reader.u32(field), shared)
    const values = columnOf(count, signed)
    for (let i = 0; i < count; i++) {
      const value = reader.u32(field + i * entry)
      values[i] = signed ? value | 0 : value
    }
    return values
  }
  const durations = column(0x100)
  const sizes = column(0x200)
  const flags = column(0x400)
  // Version 0 offsets are unsigned by the letter, but writers put negative ones there: both are read as signed.
  const compositions = column(0x800, true)
  return { count, dataOffset, firstFlags, durations, sizes, flags, compositions }
}

function columnOfOne(value: number, shared: Map<number, Column>): Column {
  const known = shared.get(value)
  if (known) return known
  const column = [value]
  if (shared.size < MOST_SHARED) shared.set(value, column)
  return column
}

function columnOf(count: number, signed: boolean): Column {
  if (count <= SHORT) return new Array<number>(count).fill(0)
  return signed ? new Int32Array(count) : new Uint32Array(count)
}

interface Shape {
  /** Flags. */
  readonly has: number
  /** Entries. */
  readonly declared: number
}

/**
 * What the flags and the count of a run say, a flipped bit in either mended where the box's size betrays it: there is one bit
 * whose flipping makes fields and entries fill the box, or one that makes the flags usual, too.
 */
function mendedShape(reader: ByteReader, box: Box, usual: ReadonlySet<number>, findings: Findings): Shape {
  const has = flagsOf(reader, box)
  const declared = reader.u32(bodyOf(box) + 4)
  const fills = (shape: Shape): boolean => bodyOf(box) + 8 + bytesOf(shape) === box.end
  const told = { has, declared }
  if (fills(told) || entryBytes(has) === 0) return told
  const shapes = [
    ...[...FIELDS, ...COLUMNS].map((bit) => ({ has: has ^ bit, declared })),
    ...Array.from({ length: 32 }, (_, bit) => ({ has, declared: flip(declared, bit) })),
  ].filter(fills)
  const habitual = shapes.filter((shape) => usual.has(shape.has))
  const [only] = habitual.length > 0 ? habitual : shapes
  if (shapes.length === 0 || Math.min(shapes.length, habitual.length || shapes.length) !== 1)
    return { has, declared }
  if (only.has !== has) findings.add(headerMended(box.offset, `flags ${has} of 'trun'`, String(only.has)))
  else findings.add(headerMended(box.offset, `count ${declared} of 'trun'`, String(only.declared)))
  return only
}

function entryBytes(has: number): number {
  return bytesOfSet(has, COLUMNS)
}

function bytesOf({ has, declared }: Shape): number {
  return bytesOfSet(has, FIELDS) + declared * entryBytes(has)
}

/** Four bytes for each of the flags that is set. */
function bytesOfSet(has: number, flags: readonly number[]): number {
  let bytes = 0
  for (let i = 0; i < flags.length; i++) if ((has & flags[i]) !== 0) bytes += 4
  return bytes
}
