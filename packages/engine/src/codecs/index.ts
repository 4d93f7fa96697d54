import { aac } from './aac/index.ts'
import { ac3, eac3 } from './ac3/index.ts'
import { adpcmIma } from './adpcm-ima/index.ts'
import { adts } from './adts/index.ts'
import { aic } from './aic/index.ts'
import { alac } from './alac/index.ts'
import { amr } from './amr/index.ts'
import { av1 } from './av1/index.ts'
import { camm } from './camm/index.ts'
import { cinepak } from './cinepak/index.ts'
import type { Codec } from './codec.ts'
import { CountedRecogniser } from './counted.ts'
import { dnxhd } from './dnxhd/index.ts'
import { dts } from './dts/index.ts'
import { dv } from './dv/index.ts'
import { fdsc } from './fdsc/index.ts'
import { flac } from './flac/index.ts'
import { gpmf } from './gpmf/index.ts'
import { h263 } from './h263/index.ts'
import { h264 } from './h264/index.ts'
import { hevc } from './hevc/index.ts'
import { iamf } from './iamf/index.ts'
import { mebx } from './mebx/index.ts'
import { mhas } from './mhas/index.ts'
import { mjpeg } from './mjpeg/index.ts'
import { mp3 } from './mp3/index.ts'
import { mpeg4 } from './mpeg4/index.ts'
import { mpeg1video, mpeg2video } from './mpeg12/index.ts'
import { opus } from './opus/index.ts'
import { pcm } from './pcm/index.ts'
import { prores } from './prores/index.ts'
import { rtpHint } from './rtp-hint/index.ts'
import { quickTimeText, timedText } from './timed-text/index.ts'
import { vp8 } from './vp8/index.ts'
import { vp9 } from './vp9/index.ts'
import { msmpeg4v1, msmpeg4v2, msmpeg4v3, vc1, wmv1, wmv2, wmv3 } from './windows-media/index.ts'

/** Every codec with syntax of its own: one line each. */
export const CODECS: readonly Codec[] = [
  aac,
  ac3,
  adpcmIma,
  adts,
  aic,
  alac,
  amr,
  av1,
  camm,
  cinepak,
  dnxhd,
  dts,
  dv,
  eac3,
  fdsc,
  flac,
  gpmf,
  h263,
  h264,
  hevc,
  iamf,
  mebx,
  mhas,
  mjpeg,
  mp3,
  mpeg1video,
  mpeg2video,
  mpeg4,
  msmpeg4v1,
  msmpeg4v2,
  msmpeg4v3,
  opus,
  pcm,
  prores,
  quickTimeText,
  rtpHint,
  timedText,
  vc1,
  vp8,
  vp9,
  wmv1,
  wmv2,
  wmv3,
]

/** By name, with recognisers that take steps of what all searches of a file may take. */
const BY_NAME: ReadonlyMap<string, Codec> = new Map(CODECS.map((codec) => [codec.name, countedCodec(codec)]))

export function codecNamed(name: string): Codec | undefined {
  return BY_NAME.get(name)
}

function countedCodec(codec: Codec): Codec {
  return {
    ...codec,
    recogniser: (track) => {
      const recogniser = codec.recogniser(track)
      return recogniser && new CountedRecogniser(recogniser)
    },
  }
}
