import { expect, it, vi } from 'vitest'
import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { parseAudioSpecificConfig } from '../../../src/codecs/aac/audio-specific-config.ts'
import { AacRecogniser } from '../../../src/codecs/aac/recogniser.ts'

it('reads no more of a sample than the longest frame, whatever size a broken index claims', () => {
  const config = parseAudioSpecificConfig(Uint8Array.of(0x11, 0x90))
  if (!config) throw new Error('no configuration')
  const reader = new ByteReader(new MemorySource(new Uint8Array(1 << 20).fill(0x21)))
  const bytes = vi.spyOn(reader, 'bytes')
  new AacRecogniser(config).learn(reader, 0, 1 << 30)
  expect(Math.max(...bytes.mock.calls.map(([, length]) => length))).toBeLessThan(1 << 16)
})
