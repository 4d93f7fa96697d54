import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { RendererError } from './errors.ts'
import type { ByteRange } from './protocol.ts'
import { type RunOptions, type RunTask, runTask } from './run.ts'
import type { StreamKind } from './verification.ts'

export interface PacketHash {
  /** Seconds; undefined when the container does not say. */
  readonly pts: number | undefined
  readonly dts: number | undefined
  readonly duration: number
  /** First byte in the file, -1 when the demuxer does not know. */
  readonly position: number
  readonly size: number
  readonly key: boolean
  readonly md5: string
}

export interface FrameHash {
  /** Seconds. */
  readonly pts: number | undefined
  /** Of the decoded picture's planes without padding. */
  readonly md5: string
  /** The decoder concealed an error in it. */
  readonly failed: boolean
}

export interface StreamHashes {
  readonly index: number
  readonly kind: StreamKind
  readonly codec: string
  /** In file order. */
  readonly packets: readonly PacketHash[]
  /** In display order; empty for everything but video. */
  readonly frames: readonly FrameHash[]
}

export interface HashOptions extends RunOptions {
  /** Decode pictures too; true by default. */
  readonly frames?: boolean
  /** Byte ranges whose packets are left out, as if they had never been there. */
  readonly lost?: readonly ByteRange[]
  /** Further packets that are left out, by stream: their places among its packets. */
  readonly without?: readonly (readonly number[])[]
  /** Where it is done; in a fresh child process by default. */
  readonly run?: RunTask
}

/**
 * Hashes every packet and every decoded picture of a file: the exact yardstick of tests and bench.
 * @throws RendererError
 */
export async function decodeHashes(path: string, options: HashOptions = {}): Promise<StreamHashes[]> {
  const output = join(tmpdir(), `mendframe-hashes-${randomUUID()}`)
  try {
    const run = options.run ?? runTask
    await run(
      {
        task: 'hashes',
        input: path,
        output,
        frames: options.frames ?? true,
        lost: options.lost ?? [],
        without: options.without ?? [],
      },
      options,
    )
    return await readHashes(output)
  } finally {
    await rm(output, { force: true })
  }
}

async function readHashes(path: string): Promise<StreamHashes[]> {
  const streams: {
    index: number
    kind: StreamKind
    codec: string
    packets: PacketHash[]
    frames: FrameHash[]
  }[] = []
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    const [type, index = '', ...fields] = line.split('\t')
    const [a = '', b = '', c = '', d = '', e = '', f = '', g = ''] = fields
    if (type === 'S')
      streams.push({ index: Number(index), kind: streamKind(a), codec: b, packets: [], frames: [] })
    else if (type === 'F') streams[Number(index)]?.frames.push({ pts: time(a), md5: b, failed: c === '1' })
    else if (type === 'P') {
      streams[Number(index)]?.packets.push({
        pts: time(a),
        dts: time(b),
        duration: time(c) ?? 0,
        position: Number(d),
        size: Number(e),
        key: f === '1',
        md5: g,
      })
    } else throw new RendererError('crashed', 'the media process wrote an unreadable list')
  }
  return streams
}

function time(field: string): number | undefined {
  return field === 'unknown' ? undefined : Number(field)
}

function streamKind(field: string): StreamKind {
  return field === 'video' || field === 'audio' || field === 'text' ? field : 'data'
}
