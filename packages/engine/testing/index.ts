export { continueGifLzw, inSubBlocks } from '../src/codecs/lzw/gif-lzw.ts'
export { BoxWriter } from '../src/syntax/iso-boxes/box-writer.ts'
export { ADVERSARIES, type Adversary, type HostileInput } from './adversaries/index.ts'
/** What tools outside the test runner need of the engine's test material. */

export { ByteReader } from '../src/bytes/reader.ts'
export type { Codec } from '../src/codecs/codec.ts'
export { CODECS } from '../src/codecs/index.ts'
export { type Recogniser, Unit, type UnitReader } from '../src/codecs/recogniser.ts'
export { Allowance } from '../src/model/allowance.ts'
export type { TrackDescription } from '../src/model/track.ts'
export { type Fixture, fixturesOf, missingFixtures } from './contract/fixtures.ts'
export {
  allLengthsMax,
  CountingSource,
  FailingSource,
  LyingSource,
  lies,
  noise,
  randomFrom,
  ZeroTailSource,
} from './hostile-sources.ts'
export { type DrawnPicture, drawPicture } from './photos/draw.ts'
export { heifParts, type PhotoParts, tiffParts } from './photos/photo-parts.ts'
export { type PhotoCoefficients, readPhoto } from './photos/read-photo.ts'
export { type ByteRange, dcSurvives, survivingMcus } from './photos/survivors.ts'
export { type PhotoSettings, writePhoto } from './photos/write-photo.ts'
export { SMALL_RECORDINGS, smallRecording, smallRecordingStreams } from './recordings/catalogue.ts'
export { type ReadSample, type ReadTrack, readRecording } from './recordings/read-recording.ts'
export { storedStreams } from './video/stream-fixture.ts'
