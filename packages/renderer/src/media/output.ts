import { AVFMT_GLOBALHEADER } from 'node-av/constants'
import { FormatContext, type Packet, type Rational, type Stream } from 'node-av/lib'
import { RendererError } from '../errors.ts'
import { describe, isMediumFailure } from './library.ts'

/** A container being written. */
export class Output {
  readonly format = new FormatContext()

  /** @param muxer the library's name, e.g. `mp4` */
  constructor(muxer: string, path: string) {
    check(
      this.format.allocOutputContext2(null, muxer, `file:${path}`),
      `the media library does not write ${muxer}`,
    )
  }

  get globalHeader(): boolean {
    return this.format.oformat?.hasFlags(AVFMT_GLOBALHEADER) ?? false
  }

  addStream(configure: (stream: Stream) => void): number {
    const stream = this.format.newStream()
    configure(stream)
    return stream.index
  }

  begin(options: Readonly<Record<string, string>> = {}): void {
    check(this.format.openOutputSync(), 'the output cannot be opened')
    for (const [name, value] of Object.entries(options))
      check(this.format.setOption(name, value), `no option ${name}`)
    check(this.format.writeHeaderSync(), 'the container does not take the streams')
  }

  /** Queues a packet whose times are in `timeBase`. */
  write(packet: Packet, stream: number, timeBase: Rational): void {
    const target = this.format.streams[stream]
    if (!target) throw new RendererError('input', `the output has no stream ${stream}`)
    packet.streamIndex = stream
    packet.rescaleTs(timeBase, target.timeBase)
    packet.pos = -1n
    check(this.format.interleavedWriteFrameSync(packet), 'the container does not take a packet')
  }

  end(): void {
    check(this.format.writeTrailerSync(), 'the output cannot be finished')
    this.close()
  }

  close(): void {
    this.format.closeOutputSync()
    this.format.freeContext()
  }
}

function check(code: number, what: string): void {
  if (code >= 0) return
  throw new RendererError(isMediumFailure(code) ? 'environment' : 'input', `${what}: ${describe(code)}`)
}
