import { readdirSync, readFileSync } from 'node:fs'

/** A coded stream stored for tests: packets as a container's demultiplexer handed them out, in decoding order. */
export interface StreamFixture {
  readonly name: string
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly config: Uint8Array
  /** All packets one after another. */
  readonly bytes: Uint8Array
  readonly packets: readonly {
    readonly offset: number
    readonly size: number
    readonly pts: number
    readonly key: boolean
  }[]
}

/** A fixture as its file, JSON of one line, holds it; packets are size, pts and 1 for a key picture. */
interface StoredStream {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly config: string
  readonly packets: readonly (readonly [number, number, number])[]
  readonly data: string
}

const FIXTURES = new URL('./fixtures/', import.meta.url)

/** Reads the fixture of this name. */
export function streamFixture(name: string): StreamFixture {
  const stored: StoredStream = JSON.parse(readFileSync(new URL(`${name}.stream`, FIXTURES), 'utf8'))
  let offset = 0
  const packets = stored.packets.map(([size, pts, key]) => {
    const packet = { offset, size, pts, key: key === 1 }
    offset += size
    return packet
  })
  return {
    name,
    codec: stored.codec,
    width: stored.width,
    height: stored.height,
    config: decode(stored.config),
    bytes: decode(stored.data),
    packets,
  }
}

/** Every stored stream. */
export function storedStreams(): readonly StreamFixture[] {
  return readdirSync(FIXTURES)
    .sort()
    .map((file) => streamFixture(file.replace(/\.stream$/, '')))
}

function decode(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
