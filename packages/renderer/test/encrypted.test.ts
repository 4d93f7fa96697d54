import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { verify } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'mendframe-encrypted-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An element of EBML with a size of four bytes, RFC 8794 §4.4. */
function element(id: readonly number[], ...body: readonly (readonly number[])[]): number[] {
  const bytes = body.flat()
  return [...id, 0x10, (bytes.length >> 16) & 255, (bytes.length >> 8) & 255, bytes.length & 255, ...bytes]
}
const text = (value: string): number[] => [...Buffer.from(value)]

/**
 * A WebM of five pictures that no decoder can read: noise behind the signal byte of an encrypted block. `encodings` belongs to
 * its track.
 */
function film(encodings: readonly number[]): Uint8Array {
  const entry = [
    element([0xd7], [1]),
    element([0x73, 0xc5], [1]),
    element([0x83], [1]),
    element([0x86], text('V_VP8')),
    element([0xe0], element([0xb0], [64]), element([0xba], [48])),
    encodings,
  ]
  const blocks = Array.from({ length: 5 }, (_, i) => {
    const noise = Array.from({ length: 300 }, (__, at) => (at * 167 + i * 59 + (at >> 3) * 31) & 255)
    return element([0xa3], [0x81, 0, i * 40, i === 0 ? 0x80 : 0, 1, ...noise])
  })
  const segment = [
    element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40])),
    element([0x16, 0x54, 0xae, 0x6b], element([0xae], ...entry)),
    element([0x1f, 0x43, 0xb6, 0x75], element([0xe7], [0]), ...blocks),
  ]
  return Uint8Array.from([
    ...element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text('webm'))),
    ...element([0x18, 0x53, 0x80, 0x67], ...segment),
  ])
}

/** ContentEncodings of a track whose blocks are encrypted with AES, RFC 9559 §5.1.4.1.31. */
const ENCRYPTED = element(
  [0x6d, 0x80],
  element(
    [0x62, 0x40],
    element([0x50, 0x31], [0]),
    element([0x50, 0x32], [1]),
    element([0x50, 0x33], [1]),
    element(
      [0x50, 0x35],
      element([0x47, 0xe1], [5]),
      element(
        [0x47, 0xe2],
        Array.from({ length: 16 }, (_, i) => i),
      ),
    ),
  ),
)

it('does not check a WebM whose track is encrypted, and counts its packets', async () => {
  const path = join(folder, 'encrypted.webm')
  writeFileSync(path, film(ENCRYPTED))
  const result = await verify(path)
  expect(result).toMatchObject({ unchecked: 'nothing in it can be decoded here' })
  expect(result.tracks).toMatchObject([{ codec: 'vp8', packets: 5, frames: 0, errors: 0, unchecked: true }])
})

it('calls the same noise undecodable where nothing says that it is encrypted', async () => {
  const path = join(folder, 'noise.webm')
  writeFileSync(path, film([]))
  const result = await verify(path)
  expect(result).not.toHaveProperty('unchecked')
  expect(result).toMatchObject({ decodable: false })
  expect(result.tracks[0]).not.toHaveProperty('unchecked')
})
