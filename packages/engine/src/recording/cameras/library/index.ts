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
import { X265 } from './x265.ts'

/**
 * Every camera and encoder known: one line each, encoders with many presets a file of them. Those whose headers read the same are
 * tried in this order.
 */
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
  ...X265,
]
