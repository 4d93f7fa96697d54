import { Allowance } from '../../model/allowance.ts'
import type { PictureReader, PictureReading } from '../picture-reading.ts'
import { NO_GLOBALS } from './headers/global-motion.ts'
import { type InterFrame, readInterFrame } from './headers/inter-frame.ts'
import { type IntraFrame, readIntraFrame } from './headers/intra-frame.ts'
import type { SavedFrame } from './headers/references.ts'
import { parseSequenceHeader, type SequenceHeader } from './headers/sequence-header.ts'
import { isAffordable, obusOf, readTiles, tilesOf } from './picture-reader.ts'
import { SymbolDecoder } from './symbols/symbol-decoder.ts'
import { FRAME, FRAME_HEADER, SEQUENCE_HEADER, TILE_GROUP } from './temporal-unit.ts'
import { fieldOf } from './tile-data/motion-field.ts'
import { TileReader } from './tile-data/tile-reader.ts'

/** NUM_REF_FRAMES, AV1 specification (2019-01-08) §3. */
const PLACES = 8
const NONE = new Uint8Array(0)
/** show_existing_frame and frame_to_show_map_idx in a frame header's first byte. */
const SHOWS_EXISTING = 0x80
const MAP_INDEX_SHIFT = 4

/** Bytes of pictures, and what superblocks cost, that are read of a film: some ten seconds of work. */
const EFFORT = 1 << 26
/** As intra and other slices count, see `PictureReader.sliceType`. */
const INTRA = 2
const INTER = 0

/**
 * Reads the temporal units of a film in decoding order, to the last symbol of each frame. Frames build on those before: from one
 * that was hit on, or that has what is not read here, none is read up to the next that depends on no other. Work is bounded.
 */
export class StreamReader implements PictureReader {
  sliceType = -1
  readonly #allowance = new Allowance(EFFORT)
  readonly #decoder = new SymbolDecoder()
  readonly #saved: (SavedFrame | undefined)[] = new Array(PLACES).fill(undefined)
  #sequence: SequenceHeader | undefined
  /** order_hint of the picture shown last. */
  #shown = 0

  constructor(sequence: SequenceHeader | undefined) {
    this.#sequence = sequence
  }

  read(unit: Uint8Array): PictureReading {
    const reading = this.#read(unit)
    if (reading !== 'whole') this.#saved.fill(undefined)
    return reading
  }

  #read(unit: Uint8Array): PictureReading {
    const obus = obusOf(unit)
    if (!obus) return 'broken'
    let isRead = false
    let frame: IntraFrame | InterFrame | undefined
    let tiles: TileReader | undefined
    let next = 0
    for (const { type, payload } of obus) {
      if (type === SEQUENCE_HEADER) this.#sequence = parseSequenceHeader(payload)
      const sequence = this.#sequence
      if ((type === FRAME || type === FRAME_HEADER) && sequence) {
        if (!sequence.reduced && payload[0] & SHOWS_EXISTING) {
          if (!this.#showsAgain((payload[0] >> MAP_INDEX_SHIFT) & 7)) return 'unread'
          isRead = true
          continue
        }
        frame = readIntraFrame(payload, sequence) ?? readInterFrame(payload, sequence, this.#saved)
        if (!frame || !isAffordable(frame, unit.length, this.#allowance)) return 'unread'
        if (frame.shown && !this.#follows(frame.orderHint, frame.key)) return 'unread'
        this.sliceType = 'references' in frame ? INTER : INTRA
        tiles = new TileReader(this.#decoder, frame)
        next = 0
      }
      if (type !== FRAME && type !== TILE_GROUP) continue
      if (!frame || !tiles) continue
      const from = type === FRAME ? Math.ceil(frame.bits / 8) : 0
      const end = readTiles(payload, from, frame, tiles, next)
      if (end < 0) return 'torn'
      next = end
      if (next < tilesOf(frame)) continue
      this.#save(frame, tiles)
      isRead = true
    }
    return isRead ? 'whole' : 'unread'
  }

  /** Whether a frame is there to be shown again; a key frame takes all places then, §7.21. */
  #showsAgain(place: number): boolean {
    const saved = this.#saved[place]
    if (!saved || !this.#follows(saved.orderHint, saved.key)) return false
    if (saved.key) this.#saved.fill(saved)
    return true
  }

  /** Whether no picture is missing before the one shown with this order_hint: they are counted, §6.8.2. */
  #follows(orderHint: number, key: boolean): boolean {
    const bits = this.#sequence?.orderHintBits ?? 0
    const isNext = key || bits === 0 || orderHint === (this.#shown + 1) % 2 ** bits
    this.#shown = orderHint
    return isNext
  }

  /** The reference frame update process, §7.20. */
  #save(frame: IntraFrame | InterFrame, tiles: TileReader): void {
    const isInter = 'references' in frame
    const saved: SavedFrame = {
      intra: !isInter,
      key: !isInter && frame.key,
      orderHint: frame.orderHint,
      orderHints: isInter ? frame.orderHints : new Array(PLACES).fill(0),
      ...{
        upscaledWidth: frame.upscaledWidth,
        height: frame.height,
        columns: frame.columns,
        rows: frame.rows,
      },
      distributions: tiles.learnt,
      segmentMap: tiles.segments.kept,
      segments: frame.segments.features,
      globals: isInter ? frame.globals : NO_GLOBALS,
      ...(isInter && tiles.grid
        ? fieldOf(frame, tiles.grid)
        : { fieldReferences: NONE, fieldVectors: new Int16Array(0) }),
    }
    for (let place = 0; place < PLACES; place++)
      if ((frame.refreshed >> place) & 1) this.#saved[place] = saved
  }
}
