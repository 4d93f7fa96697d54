import { limitsFor } from '../../../bytes/limits.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { readTiffHeader } from '../../../syntax/tiff-ifd/header.ts'
import { readIfd } from '../../../syntax/tiff-ifd/ifd.ts'
import { TiffNumbers } from '../../../syntax/tiff-ifd/numbers.ts'
import { readerFrom } from '../../behind-foreign.ts'
import { isPlausible, readStructure } from './structure.ts'

/** Bytes that may stand in front of a file. */
const MOST = 64 * 1024
/** Headers that lead to a directory, of which the pictures are looked at. */
const MOST_TRIED = 8
/** Part of what follows that the pictures take: those of Exif in other photos are small beside these. */
const MOST_OF_IT = 0.5

/**
 * Where a file begins that had bytes put in front of it: at a header that leads to a directory whose pictures take the most of
 * what follows. 0 where the file begins with one that leads to a directory, or none is found.
 */
export function findStart(reader: ByteReader): number {
  if (leads(reader)) return 0
  const last = Math.min(MOST, reader.size)
  let tried = 0
  for (let start = 1; start < last && tried < MOST_TRIED; start++) {
    const order = reader.u16(start)
    if ((order !== 0x4949 && order !== 0x4d4d) || !readTiffHeader(reader, start)) continue
    const file = readerFrom(reader, start)
    if (!leads(file)) continue
    tried++
    if (picturesTakeMost(file)) return start
  }
  return 0
}

function leads(reader: ByteReader): boolean {
  const header = readTiffHeader(reader)
  const first = header && readIfd(new TiffNumbers(reader, header.little), header.firstIfd, header.big)
  return first !== undefined && isPlausible(first)
}

function picturesTakeMost(reader: ByteReader): boolean {
  const header = readTiffHeader(reader)
  const numbers = header && new TiffNumbers(reader, header.little)
  const first = header && numbers && readIfd(numbers, header.firstIfd, header.big)
  if (!first) return false
  const { images } = readStructure(numbers, first, header.big, limitsFor(reader.size))
  const there = images
    .flatMap(({ units }) => units)
    .reduce((sum, { offset, bytes }) => sum + Math.max(0, Math.min(bytes, reader.size - offset)), 0)
  return there > reader.size * MOST_OF_IT
}
