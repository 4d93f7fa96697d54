import { AV_PKT_FLAG_KEY } from 'node-av/constants'
import { type Frame, Packet } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import type { Box } from '../../iso/boxes.ts'
import { IsoFile } from '../../iso/file.ts'
import { readSamples, type SampleTable } from '../../iso/samples.ts'
import { Decoder, isFlawed, ORDERLY } from '../../media/decoder.ts'
import { mainStreams } from '../../media/extent.ts'
import { type Input, type InputStream, openInput } from '../../media/input.ts'
import { breathe } from '../../media/library.ts'
import { inspect, lengthFieldOf } from './inspect.ts'

/** Samples decoded between two breaths. */
const BREATH = 16

/**
 * The library's best guess for what is missing in a picture: of key pictures what the picture before shows there, which it would
 * smear over from the sides else; of others what it thinks likely itself. Pictures of which it has nothing to guess from, grey
 * ones, do not come out.
 */
const EC_KEY = 'guess_mvs+deblock+favor_inter'
const EC_OTHER = 'guess_mvs+deblock'

/** Sets how a decoder conceals what is missing in the next sample. */
export function concealNext(decoder: Decoder, isKey: boolean): void {
  decoder.context.setOption('ec', isKey ? EC_KEY : EC_OTHER)
}

/** One way of decoding pictures that were hit. */
export interface Way {
  /** How the library guesses what is missing; its own way when absent. */
  readonly guess?: string
  /** Everything is decoded as it comes, also what cannot belong to a picture. */
  readonly whole: boolean
}

/** As players do it. */
const AS_IT_COMES: Way = { whole: true }
const WITHOUT_STRANGE: Way = { whole: false }
/** What is missing is taken from the picture before wherever it can be. */
const FROM_BEFORE: Way = { whole: false, guess: 'guess_mvs+deblock+favor_inter' }
/** Codecs whose decoders guess what is missing in a picture. */
const GUESSED: ReadonlySet<string> = new Set(['h264', 'mpeg4', 'mpeg2video', 'mpeg1video', 'h263'])

/** The ways that may show pictures of a codec differently, the library's own first. */
export function waysOf(film: Film): Way[] {
  return [
    AS_IT_COMES,
    ...(lengthFieldOf(film.stream) === undefined ? [] : [WITHOUT_STRANGE]),
    ...(GUESSED.has(film.stream.codec) ? [FROM_BEFORE] : []),
  ]
}

/** Has a decoder conceal what is missing in one way. */
export function concealBy(decoder: Decoder, { guess }: Way): void {
  if (guess !== undefined) decoder.context.setOption('ec', guess)
}

/** The picture track of an ISO media file, sample by sample. */
export class Film {
  readonly input: Input
  readonly iso: IsoFile
  readonly stream: InputStream
  readonly trak: Box
  readonly samples: SampleTable
  /** Place in display order by place in decoding order. */
  readonly rank: Uint32Array
  /** Place in decoding order by place in display order. */
  readonly sampleAt: Uint32Array
  /** 1 where all samples before come, in display order too, before all samples from here on. */
  readonly separate: Uint8Array

  private constructor(input: Input, iso: IsoFile, stream: InputStream) {
    this.input = input
    this.iso = iso
    this.stream = stream
    this.trak = iso.track(stream.stream.id)
    this.samples = readSamples(iso.moov, this.trak)
    const { count } = this.samples
    this.sampleAt = new Uint32Array(count)
    for (let i = 0; i < count; i++) this.sampleAt[i] = i
    this.sampleAt.sort((a, b) => this.time(a) - this.time(b) || a - b)
    this.rank = new Uint32Array(count)
    for (const [rank, sample] of this.sampleAt.entries()) this.rank[sample] = rank
    this.separate = new Uint8Array(count)
    let highest = -1
    for (let i = 0; i < count; i++) {
      this.separate[i] = highest < i ? 1 : 0
      highest = Math.max(highest, this.rank[i] ?? 0)
    }
  }

  /** @throws RendererError `unsupported` for other containers, `input` without pictures */
  static open(path: string): Film {
    const input = openInput(path)
    let iso: IsoFile | undefined
    try {
      if (!input.format.iformat?.name?.includes('mov'))
        throw new RendererError(
          'unsupported',
          'pictures are replaced in files of the MP4 and QuickTime family only',
        )
      const { video } = mainStreams(input)
      if (!video) throw new RendererError('input', 'the file has no pictures')
      iso = IsoFile.open(path)
      return new Film(input, iso, video)
    } catch (error) {
      iso?.close()
      input.close()
      throw error
    }
  }

  /** Presentation time of a sample in ticks of the track. */
  time(sample: number): number {
    return (this.samples.dts[sample] ?? 0) + (this.samples.shifts?.[sample] ?? 0)
  }

  /** Seconds of a place in display order after the first picture; of the end for the place after the last. */
  seconds(rank: number): number {
    const { count, dts, timescale } = this.samples
    const first = this.time(this.sampleAt[0] ?? 0)
    const last = (dts[count] ?? 0) - (dts[count - 1] ?? 0)
    const ticks =
      rank < count ? this.time(this.sampleAt[rank] ?? 0) : this.time(this.sampleAt[count - 1] ?? 0) + last
    return (ticks - first) / Math.max(timescale, 1)
  }

  isSync(sample: number): boolean {
    return this.samples.sync === undefined || this.samples.sync[sample] === 1
  }

  read(sample: number): Buffer {
    return this.iso.read(this.samples.offsets[sample] ?? 0, this.samples.sizes[sample] ?? 0)
  }

  /** @throws RendererError `unsupported` when nothing decodes the codec */
  decoder(options: Readonly<Record<string, string | number>> = {}): Decoder {
    const decoder = Decoder.open(this.stream, { ...ORDERLY, ...options })
    if (decoder instanceof Decoder) return decoder
    throw new RendererError('unsupported', `nothing decodes ${this.stream.codec}`)
  }

  close(): void {
    this.iso.close()
    this.input.close()
  }
}

/** Hears what comes out of a decoder. Returning false ends the decoding. */
export interface Listener {
  /** Whether samples are decoded whole, also what cannot belong to a picture. */
  readonly whole?: boolean
  /** The sample is about to be decoded. */
  before?(sample: number): void
  /** A picture, reused afterwards, with the sample it came from and whether the decoder concealed an error in it. */
  picture(frame: Frame, sample: number, concealed: boolean): boolean
  /** The decoder refused a sample or a part of it. */
  refused?(sample: number): void
  /** The sample, or a unit in it, ends with zeros. */
  filled?(sample: number): void
}

/** Decodes the samples from `from` to before `to` and drains the decoder. */
export async function decodeSamples(
  film: Film,
  from: number,
  to: number,
  decoder: Decoder,
  listener: Listener,
): Promise<void> {
  const packet = new Packet()
  packet.alloc()
  const width = lengthFieldOf(film.stream)
  let wanted = true
  let flagged = 0
  const onFrame = (frame: Frame): void => {
    const concealed = isFlawed(frame)
    if (concealed) flagged++
    const sample = Number(frame.pts)
    if (wanted && sample >= 0 && sample < film.samples.count)
      wanted = listener.picture(frame, sample, concealed)
  }
  try {
    for (let sample = from; sample < to && wanted; sample++) {
      const read = film.read(sample)
      const { bytes: sound, damaged, filled } = inspect(read, width)
      const bytes = listener.whole ? read : sound
      if (damaged || bytes.length === 0) listener.refused?.(sample)
      if (filled) listener.filled?.(sample)
      if (bytes.length === 0) continue
      packet.data = bytes
      packet.pts = packet.dts = BigInt(sample)
      if (film.isSync(sample)) packet.setFlags(AV_PKT_FLAG_KEY)
      const errors = decoder.errors
      flagged = 0
      listener.before?.(sample)
      decoder.decode(packet, onFrame)
      packet.unref()
      if (decoder.errors - errors > flagged) listener.refused?.(sample)
      if (sample % BREATH === 0) await breathe()
    }
    if (wanted) decoder.decode(null, onFrame)
  } finally {
    packet.free()
  }
}
