import type { InputFile, Probe } from '../format.ts'
import { bodyTells, FILE_HEADER, isKnown, nextChunk, text, typeMeant } from './read/chunk.ts'

/** Bytes at the start in which chunks are looked for where the signature is gone. */
const LOOK = 64 * 1024
const CERTAIN = 95
const CHUNK_FOUND = 70
const LIKELY = 40

/** The signature is certain; a chunk of a picture, or one that a head was in front of, is likely. */
export function probe({ reader }: InputFile): Probe {
  const head = Uint8Array.from(reader.bytes(0, LOOK))
  const [riff, type] = [text(head, 0), text(head, 8)]
  if (riff === 'RIFF' && type === 'WEBP') return { score: CERTAIN, reasons: ['the signature'] }
  const first = text(head, FILE_HEADER)
  if (isKnown(first) && bodyTells(head, first, FILE_HEADER) && (riff === 'RIFF' || type === 'WEBP'))
    return { score: CERTAIN, reasons: ['a part of the signature, and a chunk'] }
  for (let at = nextChunk(head, 0, head.length); at < head.length; at = nextChunk(head, at + 1, head.length))
    if (TELLING.has(text(head, at))) return { score: CHUNK_FOUND, reasons: ['a chunk of a picture'] }
  if (typeMeant(head, FILE_HEADER) === 'VP8 ')
    return { score: LIKELY, reasons: ['a picture where its chunk would be'] }
  if (riff === 'RIFF' && isKnown(first))
    return { score: LIKELY, reasons: ['a RIFF with a chunk of a picture'] }
  if (type === 'WEBP') return { score: LIKELY, reasons: ['the type of the file'] }
  return { score: 0, reasons: [] }
}

const TELLING: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANMF'])
