import type { CameraProfile } from '../camera-profile.ts'

export const googlePixelMotionPhoto: CameraProfile = {
  name: 'Google Pixel, motion photo',
  marks: [],
  isobmff: { fileType: '0000001c6674797069736f6d0002000069736f6d69736f326d703431', timescale: 10000 },
  tracks: [
    {
      about: 'hevc, 1440x1080',
      id: 1,
      kind: 'video',
      timescale: 90000,
      width: 1440,
      height: 1080,
      habits: {
        unitDuration: 3070.231,
        constantRate: false,
        steady: true,
        jitter: 128.456,
        unitBytes: 53004.698,
        constantUnitBytes: 0,
        byteRate: 1583646.995,
        runUnits: 27,
        firstCts: 0,
        prefix: '00',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '000000ec6876633100000000000000010000000000000000000000000000000005a00438004800000048000000000000' +
          '000100202020202020202020202020202020202020202020202020202020202020200018ffff00000073687663430101' +
          '6000000000000000000099f000fcfcf8f800000f03200001001840010c01ffff01600000030000030000030000030099' +
          '2c09210001002542010101600000030000030000030000030099a002d0801107cba2d2bb24bb9b808080804022000100' +
          '084401c0667c0cc6400000001070617370000100000001000000000013636f6c726e636c7800010001000180',
        information: ['00000014766d6864000000000000000000000000'],
        handlerBox:
          '0000002c68646c72000000000000000076696465000000000000000000000000566964656f48616e646c6500',
        trackBoxes: [],
        edits: [],
      },
    },
    {
      about: 'hevc, 2048x1536',
      id: 2,
      kind: 'video',
      timescale: 90000,
      width: 2048,
      height: 1536,
      habits: {
        unitDuration: 159652,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 97599,
        constantUnitBytes: 0,
        byteRate: 110038.208,
        runUnits: 2,
        firstCts: 0,
        prefix: '00',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '000000eb6876633100000000000000010000000000000000000000000000000008000600004800000048000000000000' +
          '000100202020202020202020202020202020202020202020202020202020202020200018ffff00000072687663430101' +
          '6000000000000000000099f000fcfcf8f800000f03200001001840010c01ffff01600000030000030000030000030099' +
          '2c09210001002442010101600000030000030000030000030099a0010020060168b4aec92ee6e0202020102200010008' +
          '4401c0667c0cc6400000001070617370000100000001000000000013636f6c726e636c7800010001000180',
        information: ['00000014766d6864000000000000000000000000'],
        handlerBox:
          '0000002c68646c72000000000000000076696465000000000000000000000000566964656f48616e646c6500',
        trackBoxes: [],
        edits: [],
      },
    },
    {
      about: 'mett',
      id: 3,
      kind: 'data',
      timescale: 90000,
      width: 0,
      height: 0,
      habits: {
        unitDuration: 3070.231,
        constantRate: false,
        steady: true,
        jitter: 128.456,
        unitBytes: 1057,
        constantUnitBytes: 1057,
        byteRate: 31580.5,
        runUnits: 27,
        firstCts: 0,
        prefix: '0ab003',
      },
      isobmff: {
        handler: 'meta',
        entry:
          '0000004e6d6574746170706c69636174696f6e2f6d6963726f766964656f2d6d6574612d73747265616d006170706c69' +
          '636174696f6e2f6d6963726f766964656f2d6d6574612d73747265616d00',
        information: ['0000000c6e6d686400000000'],
        handlerBox: '0000002b68646c7200000000000000006d6574610000000000000000000000004d65746148616e646c6500',
        trackBoxes: [],
        edits: [],
      },
    },
    {
      about: 'mett',
      id: 4,
      kind: 'data',
      timescale: 90000,
      width: 0,
      height: 0,
      habits: {
        unitDuration: 120031,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 73,
        constantUnitBytes: 73,
        byteRate: 54.736,
        runUnits: 1,
        firstCts: 0,
        prefix: '',
      },
      isobmff: {
        handler: 'meta',
        entry:
          '0000004e6d6574746170706c69636174696f6e2f6d6f74696f6e70686f746f2d696d6167652d6d657461006170706c69' +
          '636174696f6e2f6d6f74696f6e70686f746f2d696d6167652d6d65746100',
        information: ['0000000c6e6d686400000000'],
        handlerBox: '0000002b68646c7200000000000000006d6574610000000000000000000000004d65746148616e646c6500',
        trackBoxes: [],
        edits: [],
      },
    },
  ],
  layout: {
    patterns: [
      {
        pieces: [{ lane: 2, bytes: 32767 }],
        total: 32767,
        count: 1,
      },
      {
        pieces: [
          { lane: 2, bytes: 23254 },
          { lane: 3, bytes: 73 },
        ],
        total: 23327,
        count: 1,
      },
    ],
    lead: [0, -1.77, -0.74, -1.77],
    spread: [0, 0, 0.15, 0],
    reference: 0,
    filler: 0,
    sound: -1,
  },
}
