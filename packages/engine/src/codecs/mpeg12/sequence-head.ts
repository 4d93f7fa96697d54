import { BitWriter } from '../../bytes/bit-writer.ts'
import { extendSequence, parseSequence, type Sequence } from './headers.ts'
import { nextCode } from './start-codes.ts'
import { EXTENSION, SEQUENCE, SEQUENCE_EXTENSION } from './unit-walker.ts'

/**
 * The bytes of a sequence header at `at` with the extensions behind it; undefined where it is none, or not all of it is there.
 */
export function sequenceHeadAt(bytes: Uint8Array, at: number): Uint8Array | undefined {
  if (bytes[at + 3] !== SEQUENCE) return undefined
  let end = nextCode(bytes, at + 4)
  if (end === bytes.length || !parseSequence(bytes.subarray(at + 4, end))) return undefined
  while (bytes[end + 3] === EXTENSION) {
    end = nextCode(bytes, end + 4)
    if (end === bytes.length) return undefined
  }
  return bytes.slice(at, end)
}

/** What a sequence header with its extensions says; undefined where it breaks the syntax. */
export function readSequenceHead(head: Uint8Array): Sequence | undefined {
  let at = nextCode(head, 4)
  let sequence = parseSequence(head.subarray(4, at))
  for (; sequence && at < head.length; at = nextCode(head, at + 4))
    if (head[at + 4] >> 4 === SEQUENCE_EXTENSION)
      sequence = extendSequence(sequence, head.subarray(at + 4, nextCode(head, at + 4)))
  return sequence
}

/** bit_rate of a variable rate, and the largest buffer, ISO/IEC 11172-2:1993 §2.4.3.2. */
const ANY_BIT_RATE = 0x3ffff
const LARGEST_BUFFER = 0x3ff

/** A sequence header of MPEG-1 with square pixels and the usual matrices, ISO/IEC 11172-2:1993 §2.4.2.3. */
export function writeSequenceHead(width: number, height: number, frameRateCode: number): Uint8Array {
  const bits = new BitWriter()
  for (const byte of [0, 0, 1, SEQUENCE]) bits.bits(byte, 8)
  bits.bits(width, 12)
  bits.bits(height, 12)
  bits.bits(1, 4)
  bits.bits(frameRateCode, 4)
  bits.bits(ANY_BIT_RATE, 18)
  bits.bits(1, 1)
  bits.bits(LARGEST_BUFFER, 10)
  bits.bits(0, 3)
  return bits.bytes()
}
