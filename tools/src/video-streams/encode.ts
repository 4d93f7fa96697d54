import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FFVideoEncoder } from 'node-av/constants'
import * as constants from 'node-av/constants'
import {
  avGetPixFmtFromName,
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  Packet,
  Rational,
} from 'node-av/lib'
import { type PatternFormat, patternPicture, wovenPicture } from './pattern.ts'

/** How to make one test stream. */
export interface Recipe {
  readonly name: string
  /** Engine's name of the codec. */
  readonly codec: string
  readonly encoder: FFVideoEncoder
  readonly options?: Readonly<Record<string, string>>
  readonly format?: PatternFormat
  readonly width?: number
  readonly height?: number
  readonly pictures?: number
  readonly rate?: number
  readonly interlaced?: boolean
  /** The two fields of a picture are so many pictures apart: coding them by themselves is worth it. */
  readonly fieldsApart?: number
  readonly gop?: number
  readonly bFrames?: number
  /** Container whose packets are taken; `none` takes the encoder's own. */
  readonly container?: 'mp4' | 'mov' | 'avi' | 'matroska' | 'webm' | 'none'
}

/** A coded stream as a container's demultiplexer hands it out. */
export interface Stream {
  readonly config: Uint8Array
  readonly packets: readonly { readonly bytes: Uint8Array; readonly pts: number; readonly key: boolean }[]
}

/** Encodes the synthetic pattern and passes it through the recipe's container. */
export function encode(recipe: Recipe): Stream {
  const { container = 'mp4' } = recipe
  if (container === 'none') {
    const { packets, config } = runEncoder(recipe, undefined)
    return { packets, config }
  }
  const folder = mkdtempSync(join(tmpdir(), 'video-fixture-'))
  try {
    const path = join(folder, `stream.${container}`)
    runEncoder(recipe, { path, container })
    return demux(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function runEncoder(recipe: Recipe, target: { path: string; container: string } | undefined): Stream {
  const { width = 96, height = 64, pictures = 30, rate = 25, format = 'yuv420p' } = recipe
  const codec = Codec.findEncoderByName(recipe.encoder)
  if (!codec) throw new Error(`no encoder ${recipe.encoder}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.width = width
  context.height = height
  context.pixelFormat = avGetPixFmtFromName(format)
  context.timeBase = new Rational(1, rate)
  context.framerate = new Rational(rate, 1)
  context.gopSize = recipe.gop ?? 12
  context.maxBFrames = recipe.bFrames ?? 0
  context.threadCount = 1
  if (target && target.container !== 'avi') context.setFlags(constants.AV_CODEC_FLAG_GLOBAL_HEADER)
  if (recipe.interlaced)
    context.setFlags(constants.AV_CODEC_FLAG_INTERLACED_DCT, constants.AV_CODEC_FLAG_INTERLACED_ME)
  check(context.open2Sync(codec, Dictionary.fromObject({ ...recipe.options })), 'open encoder')
  const output = target ? openOutput(target, context) : undefined
  const packets: { bytes: Uint8Array; pts: number; key: boolean }[] = []
  const packet = new Packet()
  packet.alloc()
  const drain = (): void => {
    while (context.receivePacketSync(packet) >= 0) {
      packets.push({
        bytes: new Uint8Array(packet.data ?? []),
        pts: Number(packet.pts),
        key: packet.isKeyframe,
      })
      if (output) {
        packet.streamIndex = 0
        packet.duration = 1n
        packet.rescaleTs({ num: 1, den: rate }, output.streams[0].timeBase)
        check(output.interleavedWriteFrameSync(packet), 'write packet')
      }
      packet.unref()
    }
  }
  for (let index = 0; index < pictures; index++) {
    const picture = recipe.fieldsApart
      ? wovenPicture(format, width, height, index, recipe.fieldsApart)
      : patternPicture(format, width, height, index)
    const frame = Frame.fromVideoBuffer(Buffer.from(picture), {
      width,
      height,
      format: context.pixelFormat,
      timeBase: { num: 1, den: rate },
      pts: BigInt(index),
    })
    if (recipe.interlaced)
      frame.setFlags(constants.AV_FRAME_FLAG_INTERLACED, constants.AV_FRAME_FLAG_TOP_FIELD_FIRST)
    check(context.sendFrameSync(frame), 'send picture')
    frame.free()
    drain()
  }
  context.sendFrameSync(null)
  drain()
  const config = new Uint8Array(context.extraData ?? [])
  if (output) {
    check(output.writeTrailerSync(), 'write trailer')
    output.closeOutputSync()
  }
  context.freeContext()
  return { packets, config }
}

function openOutput(target: { path: string; container: string }, context: CodecContext): FormatContext {
  const output = new FormatContext()
  check(output.allocOutputContext2(null, target.container, target.path), 'allocate output')
  const stream = output.newStream()
  check(stream.codecpar.fromContext(context), 'copy parameters')
  stream.timeBase = context.timeBase
  check(output.openOutputSync(), 'open output')
  check(output.writeHeaderSync(), 'write header')
  return output
}

function demux(path: string): Stream {
  const bytes = readFileSync(path)
  const input = new FormatContext()
  check(input.openInputSync(path), 'open')
  check(input.findStreamInfoSync(), 'find streams')
  const config = new Uint8Array(input.streams[0].codecpar.extradata ?? [])
  const packets: { bytes: Uint8Array; pts: number; key: boolean }[] = []
  const packet = new Packet()
  packet.alloc()
  while (input.readFrameSync(packet) >= 0) {
    packets.push({
      bytes: new Uint8Array(packet.data ?? []),
      pts: Number(packet.pts),
      key: packet.isKeyframe,
    })
    packet.unref()
  }
  input.closeInputSync()
  if (bytes.length === 0) throw new Error('nothing was written')
  return { config, packets }
}

function check(code: number, what: string): void {
  FFmpegError.throwIfError(code, what)
}
