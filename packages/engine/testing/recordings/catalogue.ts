import {
  amrTrack,
  cammTrack,
  carryingHintTrack,
  fdscTrack,
  gpmdTrack,
  hintTrack,
  mebxTrack,
  opusTrack,
  pcmTrack,
  pictureTrack,
} from './tracks.ts'
import { type RecordingTrack, writeRecording } from './write-recording.ts'

/** What a recording is made of, by its length in pictures (30 a second) and a seed for what differs between two of a kind. */
type Recipe = (pictures: number, seed: number) => readonly RecordingTrack[]

/** Packets of Opus that sound as long as so many pictures. */
const sounds = (pictures: number): number => Math.ceil((pictures / 30) * 50)

/** Kinds of recordings put together from stored streams and made-up sound and telemetry: small, and made in a moment. */
export const SMALL_RECORDINGS: Readonly<Record<string, Recipe>> = {
  'av1-opus': (pictures, seed) => [pictureTrack('av1', pictures), opusTrack(sounds(pictures), 90, seed)],
  'vp9-opus': (pictures, seed) => [pictureTrack('vp9', pictures), opusTrack(sounds(pictures), 90, seed)],
  'vp9-amr': (pictures, seed) => [pictureTrack('vp9', pictures), amrTrack(sounds(pictures), seed)],
  vp9: (pictures) => [pictureTrack('vp9', pictures)],
  'h264-opus': (pictures, seed) => [
    pictureTrack('h264-baseline', pictures),
    opusTrack(sounds(pictures), 60, seed),
  ],
  'h264-fdsc-gpmd': (pictures, seed) => {
    const film = pictureTrack('h264-slices-2', pictures)
    return [fdscTrack(film), film, gpmdTrack(Math.ceil(pictures / 6), seed)]
  },
  'hevc-camm-mebx': (pictures, seed) => [
    pictureTrack('hevc-b-pyramid', pictures),
    cammTrack(pictures * 6, seed),
    mebxTrack(pictures, seed),
  ],
  'h264-amr-hints': (pictures, seed) => {
    const film = pictureTrack('h264-cavlc', pictures)
    const speech = amrTrack(sounds(pictures), seed)
    return [film, speech, hintTrack(film, 96), carryingHintTrack(speech, 97)]
  },
  'h264-pcm': (pictures) => [pictureTrack('h264-cavlc', pictures), pcmTrack(Math.ceil(pictures / 6), 1600)],
}

/** A recording of a kind. */
export function smallRecording(name: string, pictures: number, seed: number): Uint8Array {
  const recipe = SMALL_RECORDINGS[name]
  if (!recipe) throw new Error(`no recording ${name}`)
  return writeRecording(recipe(pictures, seed))
}

/** The sound and telemetry of these recordings, each track's units one after another, by codec. */
export function smallRecordingStreams(): readonly {
  readonly codec: string
  readonly config: Uint8Array
  readonly bytes: Uint8Array
}[] {
  const stream = (codec: string, { units }: RecordingTrack) => ({
    codec,
    config: new Uint8Array(0),
    bytes: Uint8Array.from(units.flatMap(({ bytes }) => [...bytes])),
  })
  return [
    stream('opus', opusTrack(100, 90, 1)),
    stream('pcm', pcmTrack(6, 1600)),
    stream('camm', cammTrack(200, 1)),
    stream('gpmd', gpmdTrack(40, 1)),
    stream('mebx', mebxTrack(200, 1)),
    stream('rtp', hintTrack(pictureTrack('h264-baseline', 200), 96)),
    stream('rtp', carryingHintTrack(amrTrack(100, 1), 97)),
    stream('fdsc', fdscTrack(pictureTrack('h264-baseline', 200))),
  ]
}
