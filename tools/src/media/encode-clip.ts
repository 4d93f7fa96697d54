import { AV_LOG_ERROR, AV_PICTURE_TYPE_NONE, AVMEDIA_TYPE_AUDIO } from 'node-av/constants'
import { avChannelLayoutDefault, Codec, Dictionary, Log, Packet, Rational } from 'node-av/lib'
import { Encoder, findEncoder, firstSampleFormat } from './encoder.ts'
import { Muxer } from './muxer.ts'
import { audioSource, type FrameSource, pictureTiming, videoSource } from './source.ts'
import type { AudioSpec, ClipSpec, VideoSpec } from './spec.ts'
import { AMR_FRAME_SAMPLES, AMR_SAMPLE_RATE, amrFrames } from './synthetic-amr.ts'

/** One track on its way into the file. */
interface Track {
  /** Seconds up to which packets were asked for; infinite when there are no more. */
  reached: number
  /** Hands the next frame's packets to the muxer. */
  advance(muxer: Muxer, index: number): void
  /** Describes the track to the muxer. */
  register(muxer: Muxer): void
  close(): void
}

/**
 * Generates pictures and sound, encodes them and writes them to `path`, in this very process; see `make-clip.ts`.
 * @throws Error when an encoder, filter or muxer is missing or refuses the description.
 */
export function encodeClip(clip: ClipSpec, path: string): void {
  if (!(clip.seconds > 0)) throw new Error(`a recording of ${clip.seconds} seconds would never end`)
  Log.setLevel(AV_LOG_ERROR)
  const muxer = new Muxer(clip.container, path)
  const tracks: Track[] = []
  if (clip.video) tracks.push(videoTrack(clip, clip.video, muxer.globalHeader))
  for (const [index, audio] of (clip.audio ?? []).entries()) {
    tracks.push(
      audio.codec === 'amr_nb' ? amrTrack(clip, index) : audioTrack(clip, audio, index, muxer.globalHeader),
    )
  }
  for (const track of tracks) track.register(muxer)
  if (clip.timecode) muxer.format.metadata = Dictionary.fromObject({ timecode: clip.timecode })
  muxer.begin(clip.muxer ?? {})
  for (let next = earliest(tracks); next; next = earliest(tracks)) next.advance(muxer, tracks.indexOf(next))
  muxer.end()
  for (const track of tracks) track.close()
}

function earliest(tracks: readonly Track[]): Track | undefined {
  const open = tracks.filter((track) => Number.isFinite(track.reached))
  return open.sort((a, b) => a.reached - b.reached)[0]
}

function videoTrack(clip: ClipSpec, video: VideoSpec, globalHeader: boolean): Track {
  const source = videoSource(clip, video)
  const encoder = Encoder.video(clip, video, source, globalHeader)
  const timing = pictureTiming(clip, video)
  const tick = source.sink.buffersinkGetTimeBase()
  const ticksPerUnit = tick.num / tick.den / (encoder.context.timeBase.num / encoder.context.timeBase.den)
  const track: Track = {
    reached: 0,
    register: (muxer) => register(muxer, encoder, video.tag, source.sink.buffersinkGetFrameRate()),
    advance: (muxer, index) => {
      const frame = source.next()
      if (!frame) {
        encoder.encode(null, (packet) => muxer.write(packet, index, encoder.context.timeBase))
        track.reached = Number.POSITIVE_INFINITY
        return
      }
      const seconds = (Number(frame.pts) * tick.num) / tick.den
      track.reached = seconds
      const { kept, late } = timing()
      if (!kept) return
      const lateUnits = (late * encoder.context.timeBase.den) / encoder.context.timeBase.num
      frame.pts = BigInt(Math.round(Number(frame.pts) * ticksPerUnit + lateUnits))
      frame.duration = 0n
      // Generated frames claim to be intra pictures, which encoders would take for an order.
      frame.pictType = AV_PICTURE_TYPE_NONE
      encoder.encode(frame, (packet) => muxer.write(packet, index, encoder.context.timeBase))
    },
    close: () => closeBoth(source, encoder),
  }
  return track
}

function audioTrack(clip: ClipSpec, audio: AudioSpec, index: number, globalHeader: boolean): Track {
  const format = firstSampleFormat(findEncoder(audio.codec))
  let source = audioSource(clip, audio, index, format)
  const encoder = Encoder.audio(audio, source, globalHeader)
  // Only the opened encoder knows how many samples it wants at once.
  const { frameSize, sampleRate } = encoder.context
  if (frameSize > 0) {
    source.close()
    source = audioSource(clip, { ...audio, packetSeconds: frameSize / sampleRate }, index, format)
  }
  const track: Track = {
    reached: 0,
    register: (muxer) => register(muxer, encoder, audio.tag),
    advance: (muxer, stream) => {
      const frame = source.next()
      if (frame) track.reached = (Number(frame.pts) + frame.nbSamples) / sampleRate
      else track.reached = Number.POSITIVE_INFINITY
      encoder.encode(frame ?? null, (packet) => muxer.write(packet, stream, encoder.context.timeBase))
    },
    close: () => closeBoth(source, encoder),
  }
  return track
}

function amrTrack(clip: ClipSpec, index: number): Track {
  const decoder = Codec.getCodecList().find((codec) => codec.isDecoder() && codec.name === 'amrnb')
  if (!decoder) throw new Error('the media library does not know AMR')
  const frames = amrFrames(clip.seconds, clip.seed * 16 + index + 1)
  const timeBase = new Rational(1, AMR_SAMPLE_RATE)
  let position = 0
  const track: Track = {
    reached: 0,
    register: (muxer) => {
      muxer.addStream((stream) => {
        const { codecpar } = stream
        codecpar.codecType = AVMEDIA_TYPE_AUDIO
        codecpar.codecId = decoder.id
        codecpar.sampleRate = AMR_SAMPLE_RATE
        codecpar.channelLayout = avChannelLayoutDefault(1)
        codecpar.frameSize = AMR_FRAME_SAMPLES
        stream.timeBase = timeBase
      })
    },
    advance: (muxer, stream) => {
      const data = frames[position]
      if (!data) {
        track.reached = Number.POSITIVE_INFINITY
        return
      }
      const packet = new Packet()
      packet.alloc()
      packet.data = Buffer.from(data)
      packet.pts = packet.dts = BigInt(position * AMR_FRAME_SAMPLES)
      packet.duration = BigInt(AMR_FRAME_SAMPLES)
      packet.isKeyframe = true
      muxer.write(packet, stream, timeBase)
      packet.free()
      position++
      track.reached = (position * AMR_FRAME_SAMPLES) / AMR_SAMPLE_RATE
    },
    close: () => {},
  }
  return track
}

function register(muxer: Muxer, encoder: Encoder, tag: string | undefined, frameRate?: Rational): void {
  muxer.addStream((stream) => {
    const { codecpar } = stream
    codecpar.fromContext(encoder.context)
    if (tag) codecpar.codecTag = tag
    stream.timeBase = encoder.context.timeBase
    if (frameRate) stream.avgFrameRate = frameRate
  })
}

function closeBoth(source: FrameSource, encoder: Encoder): void {
  source.close()
  encoder.close()
}
