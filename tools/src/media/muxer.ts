import { AVFMT_FLAG_BITEXACT, AVFMT_GLOBALHEADER } from 'node-av/constants'
import { FFmpegError, FormatContext, type Packet, type Rational, type Stream } from 'node-av/lib'

/** Writes packets into a container, without dates and version strings. */
export class Muxer {
  readonly format = new FormatContext()

  constructor(container: string, path: string) {
    check(this.format.allocOutputContext2(null, container, `file:${path}`), `there is no muxer ${container}`)
    this.format.setFlags(AVFMT_FLAG_BITEXACT)
  }

  /** True when decoders of this container take their configuration from its header only. */
  get globalHeader(): boolean {
    return this.format.oformat?.hasFlags(AVFMT_GLOBALHEADER) ?? false
  }

  addStream(configure: (stream: Stream) => void): Stream {
    const stream = this.format.newStream()
    configure(stream)
    return stream
  }

  /** Opens the file and writes the header; streams have their final time bases afterwards. */
  begin(options: Readonly<Record<string, string | number>>): void {
    check(this.format.openOutputSync(), 'the output cannot be opened')
    for (const [name, value] of Object.entries(options)) {
      check(this.format.setOption(name, String(value)), `the muxer refuses ${name}=${value}`)
    }
    check(this.format.writeHeaderSync(), 'the header is not accepted')
  }

  /** Queues a packet whose times are in `timeBase`; the muxer sorts streams among each other by time. */
  write(packet: Packet, stream: number, timeBase: Rational): void {
    const target = this.format.streams[stream]
    if (!target) throw new Error(`there is no stream ${stream}`)
    packet.streamIndex = stream
    packet.rescaleTs(timeBase, target.timeBase)
    check(this.format.interleavedWriteFrameSync(packet), 'a packet is not accepted')
  }

  end(): void {
    check(this.format.writeTrailerSync(), 'the file cannot be finished')
    this.format.closeOutputSync()
    this.format.freeContext()
  }
}

function check(code: number, what: string): void {
  if (code < 0) throw new Error(`${what}: ${FFmpegError.strerror(code)}`)
}
