import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf, flagsOf } from '../../../syntax/iso-boxes/box.ts'
import { headerMended } from '../findings.ts'
import { flip } from '../mend/bits.ts'
import { heldEntries } from './tables.ts'

/** Fields that a run may have before its entries, by their flags. */
const FIELDS = [0x1, 0x4]

/** What each entry of a run may tell, by its flag. */
export const RUN_DURATION = 0x100
export const RUN_SIZE = 0x200
export const RUN_FLAGS = 0x400
/** Version 0 offsets are unsigned by the letter, but writers put negative ones there: both are read as signed. */
export const RUN_COMPOSITION = 0x800
export type RunField = typeof RUN_DURATION | typeof RUN_SIZE | typeof RUN_FLAGS | typeof RUN_COMPOSITION
const COLUMNS: readonly RunField[] = [RUN_DURATION, RUN_SIZE, RUN_FLAGS, RUN_COMPOSITION]
const ALL_COLUMNS = RUN_DURATION | RUN_SIZE | RUN_FLAGS | RUN_COMPOSITION

/** Numbers of a run up to which a plain list is read sooner. */
const SHORT = 16

/** Track run box, ISO/IEC 14496-12:2022 §8.8.8. */
export interface TrackRun {
  readonly count: number
  /** From the fragment's base to the first sample, in bytes. */
  readonly dataOffset: number | undefined
  readonly firstFlags: number | undefined
  /** Flags of what each entry tells. */
  readonly fields: number
  /** Entries as the file has them, unsigned: of each one as many numbers as it tells, in the order of their flags. */
  readonly entries: ArrayLike<number>
}

/** Samples of a run without a column of its own: a second of the busiest audio, times a thousand. */
const MAX_UNBACKED = 100_000

/** @param usual flags that other runs have: of several readings that fill the box the one with such flags */
export function parseTrackRun(
  reader: ByteReader,
  box: Box,
  usual: ReadonlySet<number>,
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
  const words = entryWords(has)
  const count =
    words === 0
      ? Math.min(declared, MAX_UNBACKED)
      : heldEntries(reader, box, at, 4 * words, declared, findings, '8.8.8')
  const length = count * words
  const entries = length <= SHORT ? new Array<number>(length).fill(0) : new Uint32Array(length)
  for (let i = 0; i < length; i++) entries[i] = reader.u32(at + 4 * i)
  return { count, dataOffset, firstFlags, fields: has & ALL_COLUMNS, entries }
}

/** Numbers of each entry of a run with such flags. */
export function entryWords(has: number): number {
  let words = 0
  for (let bit = RUN_DURATION; bit <= RUN_COMPOSITION; bit <<= 1) if ((has & bit) !== 0) words++
  return words
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
  if (fills(told) || entryWords(has) === 0) return told
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

function bytesOf({ has, declared }: Shape): number {
  let bytes = 4 * declared * entryWords(has)
  for (const flag of FIELDS) if ((has & flag) !== 0) bytes += 4
  return bytes
}
