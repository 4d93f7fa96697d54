import type { ByteReader } from '../../bytes/reader.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Codec } from '../codec.ts'
import type { Recogniser, Unit } from '../recogniser.ts'
import { searchSync } from '../search-sync.ts'
import { checksumHolds, LONGEST_SYNC_FRAME, parseSyncFrame, SYNC_WORD, type SyncFrame } from './sync-frame.ts'

/** Sync word and what values it excludes. */
const HEADER_EVIDENCE = 18
const CRC_EVIDENCE = 16
/** Sampling rate, identification and channels as in the frames before; the bit rate or length too. */
const KNOWN_EVIDENCE = 8
const SAME_LENGTH_EVIDENCE = 5
/** An access unit of E-AC-3 covers six blocks, ETSI TS 102 366 §F.3: that many frames of each substream at most. */
const UNIT_BLOCKS = 6
const BLOCK_SAMPLES = 256
/** Eight independent substreams with eight dependent ones each, six frames of one block: far above any real unit. */
const MAX_FRAMES = 32

/** AC-3 as of ETSI TS 102 366: one sync frame a unit. */
export const ac3: Codec = {
  name: 'ac3',
  recogniser: (track: TrackDescription) => new Ac3Recogniser('ac3', track.sampleRate),
}

/** Enhanced AC-3: a unit is the frames of all substreams for the same six blocks, as MP4 stores it. */
export const eac3: Codec = {
  name: 'eac3',
  recogniser: (track: TrackDescription) => new Ac3Recogniser('eac3', track.sampleRate),
}

/**
 * Its time scale is the sampling rate. A frame whose checksum fails is still one, since its length stands in its header, but
 * is called damaged.
 */
class Ac3Recogniser implements Recogniser {
  readonly codec: string
  readonly orderStep = 1
  readonly selfDelimiting = true
  #sampleRate: number
  #known: SyncFrame | undefined
  #unitBlocks = UNIT_BLOCKS
  #order = 0
  /** Frames of healthy samples whose checksum holds, less those whose does not: some encoders write none. */
  #checked = 0

  constructor(codec: 'ac3' | 'eac3', sampleRate: number | undefined) {
    this.codec = codec
    this.#sampleRate = sampleRate ?? 0
  }

  get timescale(): number {
    return this.#sampleRate
  }

  recognise(reader: ByteReader, offset: number, end: number, unit: Unit): boolean {
    const first = this.#frame(reader, offset, end)
    if (first === undefined || first.streamType === 1) return false
    unit.key = true
    unit.gap = 0
    unit.lengthKnown = true
    unit.damaged = false
    unit.evidence = 0
    unit.length = 0
    this.#add(reader, offset, first, unit)
    let blocks = first.blocks
    if (first.enhanced) blocks = this.#others(reader, offset, end, first, unit)
    unit.duration = blocks * BLOCK_SAMPLES
    return true
  }

  accept(reader: ByteReader, offset: number, unit: Unit): void {
    unit.order = this.#order++
    unit.restart = false
    unit.gap = 0
    if (!unit.damaged) this.#remember(reader, offset)
  }

  /** Some muxers store frames of fewer than six blocks one by one: a sample's own unit tells. */
  learn(reader: ByteReader, offset: number, length: number): void {
    const first = this.#remember(reader, offset)
    if (first === undefined) return
    let blocks = 0
    let at = offset
    for (let frames = 0; frames < MAX_FRAMES && at < offset + length; frames++) {
      const frame = this.#frame(reader, at, offset + length)
      if (frame === undefined) return
      this.#checked += checksumHolds(reader.bytes(at, frame.length), 0, frame.length) ? 1 : -1
      if (frame.streamType !== 1 && frame.substream === first.substream) blocks += frame.blocks
      at += frame.length
    }
    if (at === offset + length) this.#unitBlocks = blocks
  }

  intact(reader: ByteReader, offset: number, length: number): boolean {
    if (this.#checked < 0) return true
    for (let at = offset; at < offset + length; ) {
      const frame = this.#frame(reader, at, offset + length)
      // what follows the frames is filler
      if (frame === undefined) return at > offset
      if (!checksumHolds(reader.bytes(at, frame.length), 0, frame.length)) return false
      at += frame.length
    }
    return true
  }

  #remember(reader: ByteReader, offset: number): SyncFrame | undefined {
    const frame = parseSyncFrame(reader.bytes(offset, LONGEST_SYNC_FRAME), 0)
    if (frame === undefined) return undefined
    this.#known = frame
    // Containers are wrong about rates now and then; a frame of the track is not.
    this.#sampleRate = frame.sampleRate
    return frame
  }

  discontinuity(): void {}

  search(reader: ByteReader, from: number, end: number): number {
    const span = { sync: SYNC_WORD >> 8, ahead: LONGEST_SYNC_FRAME }
    return searchSync(reader, from, end, span, (bytes, at) => {
      const frame = parseSyncFrame(bytes, at)
      if (frame === undefined || frame.streamType === 1) return false
      return this.#fits(frame) && at + frame.length <= bytes.length
    })
  }

  /** Frames that belong to the unit behind its first. Returns the blocks of its first substream. */
  #others(reader: ByteReader, offset: number, end: number, first: SyncFrame, unit: Unit): number {
    let blocks = first.blocks
    for (let frames = 1; frames < MAX_FRAMES; frames++) {
      const frame = this.#frame(reader, offset + unit.length, end)
      if (frame === undefined || !frame.enhanced) break
      if (frame.streamType !== 1 && frame.substream === first.substream) {
        // The next unit, once this one has its six blocks.
        if (blocks + frame.blocks > this.#unitBlocks) break
        blocks += frame.blocks
      }
      this.#add(reader, offset + unit.length, frame, unit)
    }
    return blocks
  }

  #add(reader: ByteReader, offset: number, frame: SyncFrame, unit: Unit): void {
    unit.length += frame.length
    unit.evidence += HEADER_EVIDENCE
    if (checksumHolds(reader.bytes(offset, frame.length), 0, frame.length)) unit.evidence += CRC_EVIDENCE
    else unit.damaged = true
    const known = this.#known
    if (
      known &&
      known.bsid === frame.bsid &&
      known.channels === frame.channels &&
      known.blocks === frame.blocks
    ) {
      unit.evidence += KNOWN_EVIDENCE
      if (known.length === frame.length) unit.evidence += SAME_LENGTH_EVIDENCE
    }
  }

  /** A whole frame at `offset`. */
  #frame(reader: ByteReader, offset: number, end: number): SyncFrame | undefined {
    const bytes = reader.bytes(offset, LONGEST_SYNC_FRAME)
    const frame = parseSyncFrame(bytes, 0)
    if (frame === undefined || offset + frame.length > Math.min(end, reader.size) || !this.#fits(frame))
      return undefined
    return frame
  }

  /**
   * The sampling rate is the track's; E-AC-3 tracks may hold AC-3 frames where those known of them do, not the other way round.
   */
  #fits(frame: SyncFrame): boolean {
    if (frame.enhanced && this.codec === 'ac3') return false
    if (!frame.enhanced && this.#known?.enhanced) return false
    return this.#sampleRate === 0 || frame.sampleRate === this.#sampleRate
  }
}
