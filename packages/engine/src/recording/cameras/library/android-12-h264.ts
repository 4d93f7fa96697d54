import type { CameraProfile } from '../camera-profile.ts'

export const android12H264: CameraProfile = {
  name: 'Android 12, H.264',
  marks: [],
  isobmff: { fileType: '00000018667479706d7034320000000069736f6d6d703432', timescale: 10000 },
  tracks: [
    {
      about: 'h264, 3840x2160',
      id: 1,
      kind: 'video',
      timescale: 90000,
      width: 3840,
      height: 2160,
      habits: {
        unitDuration: 1498.588,
        constantRate: false,
        steady: true,
        jitter: 12.907,
        unitBytes: 138055.111,
        constantUnitBytes: 0,
        byteRate: 8291290.873,
        runUnits: 18,
        firstCts: 0,
        prefix: '00',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '00000081617663310000000000000001000000000000000000000000000000000f000870004800000048000000000000' +
          '000100202020202020202020202020202020202020202020202020202020202020200018ffff0000002b617663430164' +
          '0033ffe1001367640033acb401e0021f4ac1418141b4284d4001000568ee06f2c0',
        information: ['00000014766d6864000000010000000000000000'],
        handlerBox:
          '0000002c68646c72000000000000000076696465000000000000000000000000566964656f48616e646c6500',
        trackBoxes: [],
        edits: [],
      },
    },
    {
      about: 'aac, 48000 Hz, 2 channels',
      id: 2,
      kind: 'audio',
      timescale: 48000,
      width: 0,
      height: 0,
      habits: {
        unitDuration: 1024.5,
        constantRate: false,
        steady: false,
        jitter: 0.833,
        unitBytes: 556.071,
        constantUnitBytes: 0,
        byteRate: 24897.062,
        runUnits: 14,
        firstCts: 0,
        prefix: '21',
      },
      isobmff: {
        handler: 'soun',
        entry:
          '0000004b6d703461000000000000000100000000000000000002001000000000bb800000000000276573647300000000' +
          '031900000004114015000300000000000000000005021190060102',
        information: ['00000010736d68640000000000000000'],
        handlerBox:
          '0000002c68646c720000000000000000736f756e000000000000000000000000536f756e6448616e646c6500',
        trackBoxes: [],
        edits: [],
      },
    },
  ],
  layout: {
    patterns: [],
    lead: [0, -0.3],
    spread: [0, 0],
    reference: 0,
    filler: 0,
    sound: 1,
    lag: { low: 0, high: 0.28, runLow: 0, runHigh: 0.28 },
  },
}
