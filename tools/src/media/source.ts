import { type FilterContext, FilterGraph, Frame } from 'node-av/lib'
import { randomFrom } from './random.ts'
import type { AudioSpec, ClipSpec, VideoSpec } from './spec.ts'

/** Picture times jitter by up to this share of a picture's length, as phone cameras do. */
const JITTER = 0.3
/** Share of pictures left out when the timing is `dropped`. */
const DROPPED = 0.25
/** Ticks a second that hold any jittered time. */
export const FINE_TIMESCALE = 90_000

/** A chain of generated frames, pulled one by one. */
export class FrameSource {
  readonly sink: FilterContext
  readonly #graph: FilterGraph
  readonly #frame = new Frame()

  constructor(filters: string) {
    this.#graph = new FilterGraph()
    this.#graph.alloc()
    this.#graph.nbThreads = 1
    const parsed = this.#graph.parsePtr(`${filters}@out`)
    const configured = parsed < 0 ? parsed : this.#graph.configSync()
    const sink = this.#graph.filters?.find((filter) => filter.name?.endsWith('sink@out'))
    if (configured < 0 || !sink)
      throw new Error(`the filter chain is not accepted (${configured}): ${filters}`)
    this.sink = sink
    this.#frame.alloc()
  }

  /** The next frame, reused by the following call, or undefined at the end. */
  next(): Frame | undefined {
    this.#frame.unref()
    return this.sink.buffersinkGetFrameSync(this.#frame) < 0 ? undefined : this.#frame
  }

  close(): void {
    this.#frame.free()
    this.#graph.free()
  }
}

/** Filter chain of a clip's pictures. */
export function videoSource(clip: ClipSpec, video: VideoSpec): FrameSource {
  const { width, height, rate, seconds, seed } = clip
  const size = `s=${width}x${height}:r=${rate}`
  const hue = `hue=h=${(seed * 47) % 360}`
  const noise = (strength: number): string => `noise=alls=${strength}:allf=t:all_seed=${seed + 1}`
  const busy = `testsrc2=${size}:d=${seconds},${hue},${noise(20)}`
  const calm = `${soft(size, seed)},trim=duration=${seconds}`
  const fractal = `mandelbrot=${size}:start_scale=${0.6 + (seed % 7) * 0.2}:end_scale=0.02:end_pts=${Math.ceil(seconds * 40)},trim=duration=${seconds},${hue},${noise(6)}`
  const chains = { busy, calm, fractal, scenes: scenes(clip, noise) }
  const fields = video.interlaced ? ',setfield=tff' : ''
  return new FrameSource(
    `${video.filters ?? chains[video.content]},format=${video.pixelFormat ?? 'yuv420p'}${fields},buffersink`,
  )
}

/** Blurred colours that drift slowly. */
function soft(size: string, seed: number): string {
  return `mandelbrot=${size}:start_scale=${0.8 + (seed % 9) * 0.1}:end_pts=4000:maxiter=80,hue=h=${(seed * 47) % 360},gblur=sigma=8`
}

/** Cuts every second and a third between a calm and a busy picture, so that an encoder decides anew about its pictures. */
function scenes(clip: ClipSpec, noise: (strength: number) => string): string {
  const { width, height, rate, seconds, seed } = clip
  const length = 4 / 3
  const count = Math.max(1, Math.ceil(seconds / length))
  const parts = Array.from({ length: count }, (_, index) => {
    const size = `s=${width}x${height}:r=${rate}`
    const chain =
      index % 2 === 1
        ? `${soft(size, seed + index)},trim=duration=${length},${noise(9)}`
        : `testsrc2=${size}:d=${length},hue=h=${(seed * 31 + index * 67) % 360},${noise(14)}`
    return `${chain},format=yuv420p,setsar=1[s${index}]`
  })
  const labels = parts.map((_, index) => `[s${index}]`).join('')
  return `${parts.join(';')};${labels}concat=n=${count}:v=1:a=0,fps=${rate},trim=duration=${seconds}`
}

/** Filter chain of one sound track; `formats` are the encoder's sample formats, best first. */
export function audioSource(clip: ClipSpec, audio: AudioSpec, index: number, format: string): FrameSource {
  const rate = audio.sampleRate ?? 48_000
  const seed = clip.seed * 16 + index + 1
  const d = clip.seconds
  const tone = `sine=f=${220 + ((seed * 37) % 400)}:r=${rate}:d=${d}`
  const chains = {
    tone: `${tone},volume=0.4`,
    noise: `anoisesrc=c=pink:r=${rate}:a=0.5:d=${d}:seed=${seed}[n${index}];${tone}[t${index}];[n${index}][t${index}]amix=inputs=2`,
    bursts: `anoisesrc=c=brown:r=${rate}:a=0.9:d=${d}:seed=${seed},tremolo=f=1.7:d=0.95,volume=1.5`,
  }
  const layout = { 1: 'mono', 2: 'stereo', 6: '5.1' }[audio.channels ?? 2]
  const packet = audio.packetSeconds ? `,asetnsamples=n=${Math.round(audio.packetSeconds * rate)}:p=0` : ''
  return new FrameSource(
    `${chains[audio.content]},aformat=sample_fmts=${format}:sample_rates=${rate}:channel_layouts=${layout}${packet},abuffersink`,
  )
}

/** Decides for each picture in turn whether it is kept, and by how many seconds it is late. */
export function pictureTiming(clip: ClipSpec, video: VideoSpec): () => { kept: boolean; late: number } {
  const random = randomFrom(clip.seed + 77)
  const [count = 30, per = 1] = clip.rate.split('/').map(Number)
  let first = true
  return () => {
    const isFirst = first
    first = false
    if (video.timing === 'dropped') return { kept: isFirst || random() >= DROPPED, late: 0 }
    return { kept: true, late: video.timing === 'jittered' ? (random() * JITTER * per) / count : 0 }
  }
}
