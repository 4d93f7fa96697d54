import { Gathered } from '../../../bytes/gathered.ts'
import { joined } from '../../../bytes/joined.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { sequenceHeadAt } from '../../../codecs/mpeg12/sequence-head.ts'
import { nextCode } from '../../../codecs/mpeg12/start-codes.ts'
import { GROUP, PICTURE, SEQUENCE } from '../../../codecs/mpeg12/unit-walker.ts'
import { nextStartCode } from '../../../codecs/nal/start-code.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { isVideoId } from '../../../syntax/pes/stream-ids.ts'
import { hasIntra, isSetless, parameterSets } from './avc-heads.ts'
import { readItem } from './item.ts'
import type { ProgramStream } from './stream.ts'

/** Bytes of a sequence header with both matrices and extensions, about: it may begin in one packet and end in the next. */
const LONGEST_HEAD = 256
/** Bytes of a start code and what tells the type of a picture, the last one left out. */
const LOOKED_AT = 5
/** Bytes of pictures kept to see how large they are. */
const MOST_KEPT = 512 << 10
/** Bytes of a sample in which its first header stands. */
const MOST_SEARCHED = 4 << 20
/** picture_coding_type, ITU-T H.262 (02/2012) Table 6-12: intra, predicted, bidirectional. */
const INTRA = 1
const LAST_TYPE = 3
/** Headers of pictures that show that a stream holds some, where none of them is intra. */
const FEWEST_PICTURES = 2
/** Coded pictures that have such headers; those whose header is gone are not known. */
const HEADED: readonly string[] = ['', 'mpeg1video', 'mpeg2video']
/** Packets between two looks at the world outside. */
const PAUSE = 64
const AVC: readonly string[] = ['', 'h264']

/**
 * A stream whose pictures come before any sequence header, or parameter sets of H.264: some write but one, at the file's
 * beginning.
 */
export interface Headless {
  readonly stream: ProgramStream
  readonly isAvc: boolean
  /** Where its first packet begins. */
  readonly offset: number
  readonly isMpeg1Packet: boolean
  /**
   * Where its first picture begins, in a packet that begins at `packet` and is `length` bytes long; undefined where none does
   * whole.
   */
  readonly picture: { readonly at: number; readonly packet: number; readonly length: number } | undefined
  /** A header that stands farther behind, with its extensions. */
  readonly own: Uint8Array | undefined
  /** An intra picture is among them: without one there is nothing that the others are predicted from. */
  readonly begun: boolean
  /** The first pictures, end to end. */
  readonly pictures: Uint8Array
}

/** The streams of pictures that lack their sequence header. */
export async function findHeadless(
  reader: ByteReader,
  streams: readonly ProgramStream[],
  monitor: Monitor,
): Promise<Headless[]> {
  const found: Headless[] = []
  for (const stream of streams) {
    if (!isVideoId(stream.id)) continue
    const lacking = HEADED.includes(stream.codec) ? await headlessOf(reader, stream, monitor) : undefined
    const setless = lacking || !AVC.includes(stream.codec) ? undefined : setlessOf(reader, stream)
    const either = lacking ?? setless
    if (either) found.push(either)
  }
  return found
}

/** The first parameter sets of H.264 of a file's first stream of pictures. */
export function firstParameterSets(reader: ByteReader): Uint8Array | undefined {
  return parameterSets(firstPictures(reader, 0))
}

/** What a stream of pictures holds first from an offset on, one packet behind the other. */
function firstPictures(reader: ByteReader, from: number): Uint8Array {
  const kept = new Gathered()
  let id = -1
  for (const part of pictureParts(reader, from, Math.min(reader.size, from + MOST_SEARCHED))) {
    if (id >= 0 && part.id !== id) continue
    id = part.id
    kept.add(part.payload)
    if (kept.length >= MOST_KEPT) break
  }
  return kept.bytes()
}

/** A stream of H.264 whose first pictures have no parameter sets in front of them. */
function setlessOf(reader: ByteReader, stream: ProgramStream): Headless | undefined {
  const [offset = reader.size] = stream.places
  const pictures = firstPictures(reader, offset)
  if (!isSetless(pictures)) return undefined
  const own = parameterSets(pictures)
  const begun = hasIntra(pictures)
  // what needs nothing that is there is shown from its own sets on
  if (own && !begun) return undefined
  for (const part of pictureParts(reader, offset, reader.size)) {
    if (part.id !== stream.id) continue
    const start = nextCode(part.payload, 0)
    const isWhole = start < part.payload.length
    const picture = { at: part.start + start, packet: part.offset, length: part.length }
    return {
      ...{ stream, isAvc: true, offset, isMpeg1Packet: part.isMpeg1 },
      ...{ picture: isWhole ? picture : undefined, own, begun, pictures },
    }
  }
  return undefined
}

/** The first sequence header of a file's first stream of pictures, with its extensions. */
export function firstSequenceHead(reader: ByteReader): Uint8Array | undefined {
  let carried: Uint8Array = new Uint8Array(0)
  let id = -1
  for (const part of pictureParts(reader, 0, Math.min(reader.size, MOST_SEARCHED))) {
    if (id >= 0 && part.id !== id) continue
    id = part.id
    const bytes = joined([carried, part.payload])
    for (let at = nextCode(bytes, 0); at < bytes.length; at = nextCode(bytes, at + 3)) {
      const head = sequenceHeadAt(bytes, at)
      if (head) return head
    }
    carried = bytes.slice(-LONGEST_HEAD)
  }
  return undefined
}

async function headlessOf(
  reader: ByteReader,
  stream: ProgramStream,
  monitor: Monitor,
): Promise<Headless | undefined> {
  const [offset = reader.size] = stream.places
  const kept = new Gathered()
  const seam = new Gathered()
  let size = 0
  let isMpeg1Packet = false
  let begun = false
  let seen = 0
  let later = 0
  let picture: Headless['picture']
  let own: Uint8Array | undefined
  for (const part of pictureParts(reader, offset, reader.size)) {
    if (part.id !== stream.id) continue
    if (size === 0) isMpeg1Packet = part.isMpeg1
    if (size < MOST_KEPT) kept.add(part.payload)
    else if (later++ % PAUSE === 0) await monitor.pause()
    size += part.payload.length
    const start = picture ? -1 : pictureStart(part.payload)
    if (start >= 0) picture = { at: part.start + start, packet: part.offset, length: part.length }
    // what the packet in front ended with, and this one's
    seam.add(part.payload)
    const bytes = seam.bytes()
    let settled = Math.max(0, bytes.length - LOOKED_AT)
    for (let at = nextCode(bytes, 0); at + LOOKED_AT < bytes.length; at = nextCode(bytes, at + 3)) {
      if (bytes[at + 3] === PICTURE) {
        const type = (bytes[at + 5] >> 3) & 7
        if (type === INTRA) begun = true
        if (type >= INTRA && type <= LAST_TYPE) seen++
      }
      if (bytes[at + 3] !== SEQUENCE) continue
      if (!begun) return undefined
      own = sequenceHeadAt(bytes, at)
      if (own) break
      // it may go on in the next packet
      if (at >= bytes.length - LONGEST_HEAD) {
        settled = at
        break
      }
    }
    if (own) break
    seam.drop(settled)
  }
  if (!begun && (own || seen < FEWEST_PICTURES)) return undefined
  return { stream, isAvc: false, offset, isMpeg1Packet, picture, own, begun, pictures: kept.bytes() }
}

/** Where the first picture, or the group that begins with it, begins in some bytes; -1 where none does. */
function pictureStart(bytes: Uint8Array): number {
  for (let at = nextCode(bytes, 0); at + 3 < bytes.length; at = nextCode(bytes, at + 3))
    if (bytes[at + 3] === PICTURE || bytes[at + 3] === GROUP) return at
  return -1
}

interface PicturePart {
  readonly id: number
  /** Where the packet begins, and what it holds. */
  readonly offset: number
  readonly start: number
  readonly length: number
  readonly payload: Uint8Array
  readonly isMpeg1: boolean
}

/** What packets of pictures in [from, to) hold. */
function* pictureParts(reader: ByteReader, from: number, to: number): Generator<PicturePart> {
  for (let at = from; at < to; ) {
    const item = readItem(reader, at)
    if (!item) {
      at = nextStartCode(reader, at + 1, to)
      continue
    }
    const { code, header, length } = item
    if (header && isVideoId(code)) {
      const start = at + header.headerLength
      const payload = reader.bytes(start, at + length - start)
      yield { id: code, offset: at, start, length, payload, isMpeg1: header.mpeg1 }
    }
    at += length
  }
}
