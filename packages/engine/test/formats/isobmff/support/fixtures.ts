import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The stored recordings, see `make-fixtures.ts`. */
export const FIXTURES = [
  'h264-aac.mp4',
  'h264-aac-faststart.mp4',
  'h264-aac-fragmented.mp4',
  'h264-pcm.mov',
  'h264-two-aac.mov',
  'hevc-aac.mp4',
  'prores-pcm.mov',
] as const

export type FixtureName =
  | (typeof FIXTURES)[number]
  | 'h264-aac-twin.mp4'
  | EncryptedName
  | SizedName
  | 'h264-mono.mp4'
  | 'mpeg4-aac-larger.mp4'
  | 'mjpeg-pcm-larger.mov'
  | 'h264-opus-larger.mp4'

/** Recordings of which there is another with larger pictures and other content. */
export type SizedName = 'mpeg4-aac.mp4' | 'mjpeg-pcm.mov' | 'h264-opus.mp4'

/** Recordings under common encryption; their content is that of `h264-aac.mp4`. */
export type EncryptedName = 'h264-aac-encrypted.mp4' | 'h264-aac-encrypted-fragmented.mp4'

export function fixturePath(name: FixtureName): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
}

/** A fresh copy of a recording's bytes. */
export function fixture(name: FixtureName): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(name)))
}
