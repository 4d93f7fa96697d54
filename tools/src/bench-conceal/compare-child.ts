import { AV_LOG_QUIET, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants'
import { Codec, CodecContext, FormatContext, Frame, Log, Packet } from 'node-av/lib'
import type { PictureError } from './compare.ts'

/**
 * `node compare-child.ts ORIGINAL FILE…`: decodes the pictures of recordings as a player does, one thread, damage concealed, and
 * tells for each picture of the original, as JSON, how far the same picture of every other file is from it. In a process of its
 * own as every use of the media library.
 */
Log.setLevel(AV_LOG_QUIET)

interface Picture {
  readonly time: number
  readonly luma: Buffer
  readonly width: number
}

function picturesOf(path: string): Picture[] {
  const format = new FormatContext()
  if (format.openInputSync(`file:${path}`) < 0 || format.findStreamInfoSync() < 0)
    throw new Error(`cannot open ${path}`)
  const stream = format.streams.find(({ codecpar }) => codecpar.width > 0)
  const codec = stream && Codec.findDecoder(stream.codecpar.codecId)
  if (!stream || !codec) throw new Error(`no pictures in ${path}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.parametersToContext(stream.codecpar)
  context.threadCount = 1
  context.open2Sync(codec)
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  const pictures: Picture[] = []
  const tick = stream.timeBase.num / stream.timeBase.den
  const send = (next: Packet | null): void => {
    context.sendPacketSync(next)
    for (;;) {
      const code = context.receiveFrameSync(frame)
      if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
      if (code < 0) {
        if (next) return
        continue
      }
      const { width, height } = frame
      pictures.push({
        time: Number(frame.pts) * tick,
        luma: frame.toBuffer().subarray(0, width * height),
        width,
      })
    }
  }
  while (format.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === stream.index) send(packet)
    packet.unref()
  }
  send(null)
  return pictures.sort((a, b) => a.time - b.time)
}

/** The picture on show at a time: one that is missing is the one before. */
function shownAt(pictures: readonly Picture[], time: number): Picture | undefined {
  return pictures.findLast((picture) => picture.time <= time + 0.001) ?? pictures[0]
}

const BLOCK = 16

function errorOf(wanted: Picture, shown: Picture | undefined): PictureError {
  if (!shown || shown.luma.length !== wanted.luma.length) return { square: 255 ** 2, worst: 255, same: false }
  const { width } = wanted
  const columns = Math.ceil(width / BLOCK)
  const blocks = new Float64Array(columns * Math.ceil(wanted.luma.length / width / BLOCK))
  let square = 0
  for (let at = 0; at < wanted.luma.length; at++) {
    const difference = Math.abs((wanted.luma[at] ?? 0) - (shown.luma[at] ?? 0))
    square += difference * difference
    const block = Math.floor(Math.floor(at / width) / BLOCK) * columns + Math.floor((at % width) / BLOCK)
    blocks[block] = (blocks[block] ?? 0) + difference
  }
  return {
    square: square / wanted.luma.length,
    worst: Math.max(...blocks) / BLOCK ** 2,
    same: shown.luma.equals(wanted.luma),
  }
}

const [original = '', ...files] = process.argv.slice(2)
const wanted = picturesOf(original)
const others = files.map(picturesOf)
console.log(
  JSON.stringify(
    wanted.map((picture) => ({
      time: picture.time,
      errors: others.map((pictures) => errorOf(picture, shownAt(pictures, picture.time))),
      // whether the first and the second of the other files show the same
      alike: errorOf(
        shownAt(others[0] ?? [], picture.time) ?? picture,
        shownAt(others[1] ?? [], picture.time),
      ).same,
    })),
  ),
)
