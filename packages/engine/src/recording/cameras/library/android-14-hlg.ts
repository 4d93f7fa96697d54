import type { CameraProfile } from '../camera-profile.ts'

export const android14Hlg: CameraProfile = {
  name: 'Android 14, HLG',
  marks: [],
  isobmff: { fileType: '00000018667479706d7034320000000069736f6d6d703432', timescale: 10000 },
  tracks: [
    {
      about: 'aac, 48000 Hz, 2 channels',
      id: 1,
      kind: 'audio',
      timescale: 48000,
      width: 0,
      height: 0,
      habits: {
        unitDuration: 1024,
        constantRate: false,
        steady: false,
        jitter: 0,
        unitBytes: 515.154,
        constantUnitBytes: 0,
        byteRate: 23189.727,
        runUnits: 13,
        firstCts: 0,
        prefix: '211a',
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
    {
      about: 'hevc, 1920x1080',
      id: 2,
      kind: 'video',
      timescale: 90000,
      width: 1920,
      height: 1080,
      habits: {
        unitDuration: 3001,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 36821.333,
        constantUnitBytes: 0,
        byteRate: 1104271.909,
        runUnits: 9,
        firstCts: 0,
        prefix: '0000',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '000000e16876633100000000000000010000000000000000000000000000000007800438004800000048000000000000' +
          '000100202020202020202020202020202020202020202020202020202020202020200018ffff00000078687663430102' +
          '2000000000000000000099f000fcfdfafa00000303a00001001840010c01ffff02200000030000030000030000030099' +
          '2c09a10001002842010102200000030000030000030000030099a003c0801107cada2d2bb04bb9a848904815c50a40a2' +
          '0001000a4401c06670c8640cc64000000013636f6c726e636c7800090012000900',
        information: ['00000014766d6864000000010000000000000000'],
        handlerBox:
          '0000002c68646c72000000000000000076696465000000000000000000000000566964656f48616e646c6500',
        trackBoxes: [],
        edits: [],
      },
    },
  ],
  layout: { patterns: [], lead: [-0.3, 0], spread: [0, 0], reference: 1, filler: 0, sound: 0 },
}
