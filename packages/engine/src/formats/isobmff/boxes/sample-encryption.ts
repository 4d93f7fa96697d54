import type { ByteReader } from '../../../bytes/reader.ts'
import { type Box, bodyOf, flagsOf, versionOf } from '../../../syntax/iso-boxes/box.ts'

/** Bytes of all samples' auxiliary information kept: some hours of pictures in pieces. */
const MOST_BYTES = 64 << 20

/** What players need beside each sample to decrypt it, ISO/IEC 23001-7:2023 §7: its initialisation vector and clear stretches. */
export class SampleKeys {
  #bytes = new Uint8Array(4096)
  #length = 0
  #ends = new Uint32Array(1024)
  #count = 0

  /** Samples known, those without information included. */
  get count(): number {
    return this.#count
  }

  /** The information of a sample, empty when it has none. */
  of(sample: number): Uint8Array {
    if (sample >= this.#count) return this.#bytes.subarray(0, 0)
    return this.#bytes.subarray(sample === 0 ? 0 : this.#ends[sample - 1], this.#ends[sample])
  }

  push(bytes: Uint8Array): void {
    const kept = this.#length + bytes.length <= MOST_BYTES ? bytes : bytes.subarray(0, 0)
    if (this.#length + kept.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + kept.length))
      grown.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = grown
    }
    if (this.#count === this.#ends.length) {
      const grown = new Uint32Array(this.#ends.length * 2)
      grown.set(this.#ends)
      this.#ends = grown
    }
    this.#bytes.set(kept, this.#length)
    this.#length += kept.length
    this.#ends[this.#count++] = this.#length
  }

  /** Samples up to `count` have no information. */
  fillTo(count: number): void {
    while (this.#count < count) this.push(this.#bytes.subarray(0, 0))
  }
}

/** Flag of a sample encryption box: clear stretches are listed. */
const SUBSAMPLES = 2
const SUBSAMPLE_BYTES = 6

/**
 * Appends the entries of a sample encryption box, ISO/IEC 23001-7:2023 §7.2, at most `most`; `ivBytes` is the size of each
 * sample's own initialisation vector.
 * @returns whether they are all that it counts and fill the box to its end
 */
export function readSampleEncryption(
  reader: ByteReader,
  box: Box,
  ivBytes: number,
  most: number,
  keys: SampleKeys,
): boolean {
  let at = bodyOf(box) + 8
  if (at > box.end) return false
  const count = Math.min(reader.u32(at - 4), most)
  const listed = (flagsOf(reader, box) & SUBSAMPLES) !== 0
  for (let sample = 0; sample < count; sample++) {
    const size = listed ? ivBytes + 2 + reader.u16(at + ivBytes) * SUBSAMPLE_BYTES : ivBytes
    if (at + size > box.end) return false
    keys.push(reader.bytes(at, size))
    at += size
    if (size === 0) return false
  }
  return at === box.end && count > 0
}

/** Bytes of the shortest information: an initialisation vector, or one clear stretch. */
const LEAST_INFORMATION = 8

/** Sizes of samples' auxiliary information, ISO/IEC 14496-12:2022 §8.7.8: by sample, at most `most`. */
export function parseAuxiliarySizes(reader: ByteReader, box: Box, most: number): Uint8Array {
  let at = bodyOf(box) + 4 + (flagsOf(reader, box) & 1 ? 8 : 0)
  const usual = reader.u8(at)
  const count = Math.min(reader.u32(at + 1), most)
  at += 5
  if (at > box.end) return new Uint8Array(0)
  if (usual > 0)
    return new Uint8Array(Math.min(count, Math.ceil(reader.size / LEAST_INFORMATION))).fill(usual)
  return reader.bytes(at, Math.min(count, box.end - at)).slice()
}

/** Offsets of samples' auxiliary information, ISO/IEC 14496-12:2022 §8.7.9: one for all, or one for each chunk or run. */
export function parseAuxiliaryOffsets(reader: ByteReader, box: Box): number[] {
  let at = bodyOf(box) + 4 + (flagsOf(reader, box) & 1 ? 8 : 0)
  const wide = versionOf(reader, box) === 1
  const count = Math.min(reader.u32(at), Math.floor((box.end - at - 4) / (wide ? 8 : 4)))
  at += 4
  const offsets: number[] = []
  for (let i = 0; i < count; i++) offsets.push(wide ? reader.u64(at + 8 * i) : reader.u32(at + 4 * i))
  return offsets
}

/**
 * Appends what lies at the offsets: `runs` gives the samples behind each of them where there are several.
 */
export function readAuxiliary(
  reader: ByteReader,
  sizes: Uint8Array,
  offsets: readonly number[],
  runs: readonly number[],
  keys: SampleKeys,
): void {
  let sample = 0
  for (const [i, offset] of offsets.entries()) {
    const until = offsets.length === 1 ? sizes.length : Math.min(sizes.length, sample + (runs[i] ?? 0))
    let at = offset
    for (; sample < until; sample++) {
      keys.push(reader.bytes(at, sizes[sample]))
      at += sizes[sample]
    }
  }
}
