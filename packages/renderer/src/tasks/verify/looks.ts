import { avGetPixFmtName, type Frame } from 'node-av/lib'
import { type Declared, samplesOf } from '../../media/declared.ts'
import { pixelFormatOf } from '../../media/pixel-format.ts'
import type { TrackVerification } from '../../verification.ts'

export type Look = Pick<TrackVerification, 'width' | 'height' | 'pixelFormat' | 'sampleRate' | 'channels'>

/** Looks told apart; damaged headers can claim any number of them. */
const MOST_LOOKS = 64
/** Pictures of another look than all others in a row that no recording has: they come of a damaged header. */
const STRAY_PICTURES = 2

/** What the frames of a track are like. */
export class Looks {
  readonly #known = new Map<string, { readonly look: Look; frames: number }>()
  /** Runs of frames of one look, by the time of each frame. */
  readonly #runs: { key: string; frames: number; times: number[] }[] = []

  /** `time` in seconds of the file's clock. */
  add(frame: Frame, time: number | undefined): void {
    const look = lookOf(frame)
    const key = Object.values(look).join(' ')
    const known = this.#known.get(key)
    if (known) known.frames++
    else if (this.#known.size < MOST_LOOKS) this.#known.set(key, { look, frames: 1 })
    const last = this.#runs.at(-1)
    if (last?.key !== key) {
      if (this.#runs.length < MOST_LOOKS)
        this.#runs.push({ key, frames: 1, times: time === undefined ? [] : [time] })
      return
    }
    last.frames++
    if (time !== undefined && last.times.length < STRAY_PICTURES) last.times.push(time)
  }

  /** What most frames are like. */
  get common(): Look {
    return this.#most()?.look ?? {}
  }

  /** Times of the single frames that are not like those around them. */
  get stray(): readonly number[] {
    const most = this.#most()
    if (!most) return []
    const common = Object.values(most.look).join(' ')
    return this.#runs
      .filter(({ key, frames }) => key !== common && frames <= STRAY_PICTURES && frames * 2 < most.frames)
      .flatMap(({ times }) => times)
  }

  #most(): { readonly look: Look; readonly frames: number } | undefined {
    return [...this.#known.values()].sort((a, b) => b.frames - a.frames)[0]
  }
}

/** Samples by which a declared size and a decoded one differ where pictures are cropped. */
const CROPPED = 16
/** Lines of pictures that carry those of their vertical blanking, and what is shown of them: SMPTE ST 356:2001 §4.2. */
const WITHOUT_BLANKING: Readonly<Record<number, number>> = { 512: 486, 608: 576 }
/** Times the declared sampling rate that sound decodes to: spectral band replication doubles it, and some declare the double. */
const RATES: readonly number[] = [1, 2, 0.5]

/** What a container declares of a track, in words, where most frames are something else. */
export function declaredOtherwise(declared: Declared, look: Look): { readonly declared?: string } {
  const words = look.width === undefined ? otherSound(declared, look) : otherPictures(declared, look)
  return words === undefined ? {} : { declared: words }
}

function otherPictures({ width = 0, height = 0, samples }: Declared, look: Look): string | undefined {
  const lines = height === WITHOUT_BLANKING[look.height ?? 0] ? look.height : height
  const off = Math.max(Math.abs(width - (look.width ?? 0)), Math.abs((lines ?? 0) - (look.height ?? 0)))
  if (width > 0 && off >= CROPPED) return `${width}x${height}`
  const seen = samplesOf(look.pixelFormat ?? '')
  if (!samples || !seen || (samples.depth === seen.depth && samples.colour === seen.colour)) return undefined
  return `${samples.colour} in ${samples.depth} bits`
}

function otherSound({ sampleRate = 0, channels = 0 }: Declared, look: Look): string | undefined {
  if (sampleRate > 0 && look.sampleRate !== undefined && !RATES.includes(look.sampleRate / sampleRate))
    return `${sampleRate} Hz`
  const isOther = channels > 0 && look.channels !== undefined && look.channels !== channels
  // parametric stereo makes two channels of one
  return isOther && !(channels === 1 && look.channels === 2) ? `${channels} channels` : undefined
}

function lookOf(frame: Frame): Look {
  if (frame.isAudio()) return { sampleRate: frame.sampleRate, channels: frame.channels }
  const { width, height } = frame
  return { width, height, pixelFormat: avGetPixFmtName(pixelFormatOf(frame)) ?? 'unknown' }
}
