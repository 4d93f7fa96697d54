import type { InputFile, Probe } from '../format.ts'
import { CHECKSUM, CHUNK_HEAD, chunkCrc, isKnownAt, SIGNATURE, typeAt, u32 } from './read/chunk.ts'
import { beforeTextMode } from './read/text-mode.ts'

/** Bytes at either end in which chunks are looked for where the signature is gone. */
const LOOK = 64 * 1024
const CERTAIN = 95
const CHUNK_FOUND = 92
const SIGNATURE_HIT = 60
/** Bytes of the signature that are enough where the others were hit. */
const MOST_OF_SIGNATURE = 6
/** Bytes that are undone to see whether a transfer as text changed them. */
const START = 256

/**
 * The signature is certain, and so is a chunk whose checksum is right, unless the file is another that a picture is stored in.
 */
export function probe({ reader }: InputFile): Probe {
  const head = Uint8Array.from(reader.bytes(0, LOOK))
  const same = SIGNATURE.filter((byte, i) => head[i] === byte).length
  if (same === SIGNATURE.length) return { score: CERTAIN, reasons: ['the signature'] }
  if (beforeTextMode(head.subarray(0, START)))
    return { score: CERTAIN, reasons: ['the signature, transferred as text'] }
  if (chunkIn(head)) return found('start')
  const tail = Uint8Array.from(reader.bytes(Math.max(0, reader.size - LOOK), LOOK))
  if (chunkIn(tail)) return found('end')
  if (same >= MOST_OF_SIGNATURE) return { score: SIGNATURE_HIT, reasons: ['most of the signature'] }
  return { score: 0, reasons: [] }
}

function found(where: string): Probe {
  return { score: CHUNK_FOUND, reasons: [`a chunk with its checksum near the ${where}`], isInside: true }
}

function chunkIn(bytes: Uint8Array): boolean {
  for (let at = 0; at + CHUNK_HEAD + CHECKSUM <= bytes.length; at++) {
    if (bytes[at] !== 0 || !isKnownAt(bytes, at + 4)) continue
    const body = at + CHUNK_HEAD
    const end = body + u32(bytes, at)
    if (end + CHECKSUM > bytes.length) continue
    if (chunkCrc(typeAt(bytes, at + 4), bytes.subarray(body, end)) === u32(bytes, end)) return true
  }
  return false
}
