import type { CameraProfile } from '../camera-profile.ts'
import { android12H264 } from './android-12-h264.ts'
import { android14Hlg } from './android-14-hlg.ts'
import { appleIphone4sFrontCamera } from './apple-iphone-4s-front-camera.ts'
import { appleIphone6s720p } from './apple-iphone-6s-720p.ts'
import { appleIphone14ProHdr } from './apple-iphone-14-pro-hdr.ts'
import { appleIphoneHevc } from './apple-iphone-hevc.ts'
import { appleIphoneSharedAt568x320 } from './apple-iphone-shared-at-568x320.ts'
import { appleQuicktimeH264 } from './apple-quicktime-h264.ts'
import { flashRecorderBaseline } from './flash-recorder-baseline.ts'
import { googlePixelMotionPhoto } from './google-pixel-motion-photo.ts'
import { goproHero5 } from './gopro-hero5.ts'
import { mainconceptBaseline } from './mainconcept-baseline.ts'
import { phoneH263Amr } from './phone-h263-amr.ts'
import { x265Medium } from './x265-medium.ts'
import { x265Medium10Bits } from './x265-medium-10-bits.ts'
import { x265Medium10BitsWavefronts } from './x265-medium-10-bits-wavefronts.ts'
import { x265MediumWavefronts } from './x265-medium-wavefronts.ts'
import { x265Superfast } from './x265-superfast.ts'
import { x265SuperfastWavefronts } from './x265-superfast-wavefronts.ts'
import { x265Ultrafast } from './x265-ultrafast.ts'
import { x265UltrafastWavefronts } from './x265-ultrafast-wavefronts.ts'

/** Every camera and encoder known: one line each. Those whose headers read the same are tried in this order. */
export const PROFILES: readonly CameraProfile[] = [
  goproHero5,
  appleIphoneHevc,
  appleIphone14ProHdr,
  appleIphone6s720p,
  appleIphone4sFrontCamera,
  appleIphoneSharedAt568x320,
  android14Hlg,
  android12H264,
  googlePixelMotionPhoto,
  appleQuicktimeH264,
  mainconceptBaseline,
  flashRecorderBaseline,
  phoneH263Amr,
  x265Medium,
  x265MediumWavefronts,
  x265Medium10Bits,
  x265Medium10BitsWavefronts,
  x265Superfast,
  x265SuperfastWavefronts,
  x265Ultrafast,
  x265UltrafastWavefronts,
]
