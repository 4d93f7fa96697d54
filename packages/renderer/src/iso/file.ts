import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { RendererError } from '../errors.ts'
import { type Box, boxesIn, findBox } from './boxes.ts'

/** A box of the file's top level, in bytes of the file. */
export interface TopBox {
  readonly type: string
  readonly offset: number
  readonly header: number
  readonly size: number
  /** Its size field says "to the end of the file". */
  readonly open: boolean
}

/** Twelve hours of 60 pictures a second with sound need 60 MB of index. */
const INDEX_LIMIT = 512 * 1024 * 1024
const TOP_LIMIT = 100_000

/** An ISO media or QuickTime file with one plain index. */
export class IsoFile {
  readonly descriptor: number
  readonly size: number
  readonly top: readonly TopBox[]
  readonly moov: Buffer
  readonly moovBox: TopBox
  /** The index as a box within `moov`. */
  readonly root: Box

  private constructor(descriptor: number, size: number, top: readonly TopBox[], moovBox: TopBox) {
    this.descriptor = descriptor
    this.size = size
    this.top = top
    this.moovBox = moovBox
    this.moov = this.read(moovBox.offset, moovBox.size)
    this.root = { type: 'moov', start: 0, content: moovBox.header, end: moovBox.size }
  }

  /** @throws RendererError `unsupported` when the file is fragmented or has no single index in one piece */
  static open(path: string): IsoFile {
    const descriptor = openSync(path, 'r')
    try {
      const { size } = fstatSync(descriptor)
      const top = topBoxes(descriptor, size)
      const [moov, ...others] = top.filter(({ type }) => type === 'moov')
      if (!moov || others.length > 0)
        throw new RendererError('unsupported', 'the file has no single index to change')
      if (moov.size > INDEX_LIMIT) throw new RendererError('unsupported', 'the index is too large')
      if (top.some(({ type }) => type === 'moof'))
        throw new RendererError('unsupported', 'the file is fragmented')
      return new IsoFile(descriptor, size, top, moov)
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  }

  /** Bytes of the file; shorter only where the file ends. */
  read(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    let done = 0
    while (done < length) {
      const got = readSync(this.descriptor, bytes, done, length - done, offset + done)
      if (got === 0) break
      done += got
    }
    return bytes.subarray(0, done)
  }

  /** The track with this identifier. @throws RendererError `input` when there is none */
  track(id: number): Box {
    for (const trak of boxesIn(this.moov, this.root.content, this.root.end)) {
      if (trak.type !== 'trak') continue
      const tkhd = findBox(this.moov, trak, 'tkhd')
      if (!tkhd || tkhd.end - tkhd.content < 24) continue
      const version = this.moov[tkhd.content]
      if (this.moov.readUInt32BE(tkhd.content + (version === 1 ? 20 : 12)) === id) return trak
    }
    throw new RendererError('input', `the index has no track ${id}`)
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

function topBoxes(descriptor: number, fileSize: number): TopBox[] {
  const boxes: TopBox[] = []
  const head = Buffer.alloc(16)
  for (let offset = 0; offset + 8 <= fileSize; ) {
    const got = readSync(descriptor, head, 0, 16, offset)
    const short = head.readUInt32BE(0)
    const large = short === 1 && got === 16
    const size = large ? Number(head.readBigUInt64BE(8)) : short === 0 ? fileSize - offset : short
    const header = large ? 16 : 8
    if (size < header || offset + size > fileSize || boxes.length >= TOP_LIMIT)
      throw new RendererError('unsupported', 'the file’s boxes do not fit into each other')
    boxes.push({ type: head.toString('latin1', 4, 8), offset, header, size, open: short === 0 })
    offset += size
  }
  return boxes
}
