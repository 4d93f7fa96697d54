import { smallRecording } from '../recordings/catalogue.ts'
import { pictureTrack } from '../recordings/tracks.ts'
import { writeRecording } from '../recordings/write-recording.ts'
import type { Adversary, HostileInput } from './adversary.ts'
import { INDEX_ADVERSARIES } from './index-adversaries.ts'

const PICTURES = 60

/** A recording whose index is lost, beside such a sample. */
function beside(sample: Uint8Array): HostileInput {
  const whole = smallRecording('h264-opus', PICTURES, 3)
  return { damaged: whole.subarray(0, Math.floor(whole.length * 0.7)), sample }
}

/** Sample entries that differ in one byte, so that each is a track of its own. */
function manyTracks(stream: string, tracks: number, pictures: number): Uint8Array {
  const track = pictureTrack(stream, pictures)
  return writeRecording(
    Array.from({ length: tracks }, (_, i) => {
      const entry = track.entry.slice()
      entry[32] = i
      return { ...track, entry, width: 16 * (i + 1) }
    }),
  )
}

/** What a sample may do: it is as little to be trusted as the film. */
export const SAMPLE_ADVERSARIES: readonly Adversary[] = [
  ...INDEX_ADVERSARIES.map(({ name, make }) => ({
    name: `a sample of ${name}`,
    make: (bytes: number) => beside(make(bytes).damaged),
  })),
  {
    name: 'a sample of a hundred picture tracks of one codec',
    make: (bytes) => {
      const sample = manyTracks('h264-baseline', 100, Math.max(30, Math.floor(bytes / 15_000)))
      return {
        ...beside(sample),
        damaged: smallRecording('h264-opus', Math.max(60, bytes >> 8), 3).subarray(0, bytes),
      }
    },
  },
  {
    name: 'a sample of a hundred tracks of telemetry',
    make: (bytes) => {
      const sample = manyTracks('hevc-p', 100, 30)
      const whole = smallRecording('hevc-camm-mebx', Math.max(60, bytes >> 9), 3)
      return { damaged: whole.subarray(0, Math.min(bytes, whole.length * 0.9)), sample }
    },
  },
  {
    name: 'a sample of units of one byte',
    make: (bytes) => {
      const track = pictureTrack('h264-baseline', 1)
      const unit = { bytes: Uint8Array.of(9), duration: 1000 }
      const count = Math.floor(bytes / 20)
      return beside(writeRecording([{ ...track, units: Array.from({ length: count }, () => unit) }]))
    },
  },
  {
    name: 'a sample of VP9 and sound of one byte',
    make: (bytes) => {
      const film = pictureTrack('vp9', 60)
      const count = Math.floor(bytes / 30)
      const sound = {
        ...pictureTrack('vp9', 1),
        handler: 'soun',
        units: Array.from({ length: count }, () => ({ bytes: Uint8Array.of(0xfc), duration: 1 })),
      }
      return {
        ...beside(writeRecording([film, sound])),
        damaged: smallRecording('vp9-opus', PICTURES, 3).subarray(0, 9000),
      }
    },
  },
]
