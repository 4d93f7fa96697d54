import { AV_SAMPLE_FMT_S16P, FF_ENCODER_ALAC } from 'node-av/constants'
import { describe, expect, it } from 'vitest'
import type { ByteReader } from '../../../src/bytes/reader.ts'
import type { Region } from '../../../src/bytes/regions.ts'
import { hearCoded } from '../../../src/recording/deduce/sounds.ts'
import { noise, readerOf } from '../../../testing/video/replay.ts'
import { encode } from '../../codecs/support/encode.ts'
import { tones } from '../../codecs/support/signals.ts'

const { packets } = encode({
  ...{ encoder: FF_ENCODER_ALAC, rate: 48_000, channels: 2, format: AV_SAMPLE_FMT_S16P },
  ...{ signal: tones(48_000), samples: 60_000 },
})

/** Gaps with a packet each, and so many times its bytes of something else. */
function gapsWith(others: number): { reader: ByteReader; gaps: Region[] } {
  const parts: Uint8Array[] = []
  const gaps: Region[] = []
  let at = 0
  for (const [i, packet] of packets.entries()) {
    const rest = noise(Math.floor(packet.length * others), i + 1)
    parts.push(packet, rest)
    gaps.push({ offset: at, length: packet.length + rest.length })
    at += packet.length + rest.length
  }
  return { reader: readerOf(new Uint8Array(Buffer.concat(parts))), gaps }
}

describe('Apple Lossless between pictures', () => {
  it('is heard with its channels and bits where it is all there is', () => {
    const { reader, gaps } = gapsWith(0)
    const heard = hearCoded(reader, gaps, [48_000, 44_100])
    expect(heard?.candidate.codec).toBe('alac')
    expect(heard?.units).toBe(packets.length)
    expect(heard?.candidate.facts?.[0].what).toBe('sound of 16 bits')
  })

  it('is not believed where most bytes are others: samples stored as they are look like any bytes', () => {
    const { reader, gaps } = gapsWith(3)
    expect(hearCoded(reader, gaps, [48_000, 44_100])?.candidate.codec).not.toBe('alac')
  })
})
