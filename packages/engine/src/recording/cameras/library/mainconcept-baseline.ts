import type { CameraProfile } from '../camera-profile.ts'

export const mainconceptBaseline: CameraProfile = {
  name: 'MainConcept, baseline',
  marks: [],
  isobmff: { fileType: '00000018667479706d703432000000006d7034326d703431', timescale: 90000 },
  tracks: [
    {
      about: 'h264, 768x432',
      id: 1,
      kind: 'video',
      timescale: 25000,
      width: 768,
      height: 432,
      habits: {
        unitDuration: 2000,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 6149.334,
        constantUnitBytes: 0,
        byteRate: 76866.678,
        runUnits: 10,
        firstCts: 0,
        prefix: '0000',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '0000008461766331000000000000000100000000000000000000000000000000030001b0004800000048000000000000' +
          '00010a41564320436f64696e670000000000000000000000000000000000000000000018ffff0000002e617663430142' +
          '8016ffe100176742801696540601bd350606064000000300400000066101000468ce3520',
        information: [
          '00000014766d6864000000010000000000000000',

          '0000003368646c720000000000000000616c6973000000000000000000000000416c69617320446174612048616e646c' +
            '657200',
        ],
        handlerBox:
          '0000004068646c720000000000000000766964650000000000000000000000001f4d61696e636f6e6365707420566964' +
          '656f204d656469612048616e646c6572',
        trackBoxes: [],
        edits: [{ duration: 0, mediaTime: 0, rate: 65536 }],
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
        unitDuration: 1024,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 334.333,
        constantUnitBytes: 0,
        byteRate: 15671.875,
        runUnits: 37,
        firstCts: 0,
        prefix: '21100500a01bffc00000000000000000',
      },
      isobmff: {
        handler: 'soun',
        entry:
          '0000004b6d703461000000000000000100000000000000000002001000000000bb800000000000276573647300000000' +
          '0319000010041140150006000001eab90001e9bf05021190060102',
        information: [
          '00000010736d68640000000000000000',

          '0000003368646c720000000000000000616c6973000000000000000000000000416c69617320446174612048616e646c' +
            '657200',
        ],
        handlerBox:
          '0000004468646c720000000000000000736f756e000000000000000000000000234d61696e636f6e63657074204d5034' +
          '20536f756e64204d656469612048616e646c6572',
        trackBoxes: [],
        edits: [{ duration: 0, mediaTime: 0, rate: 65536 }],
      },
    },
  ],
  layout: {
    patterns: [],
    lead: [0, -0.79],
    spread: [0, 0.01],
    reference: 0,
    filler: 0,
    sound: 1,
    lag: { low: -0.02, high: 0.72, runLow: -0.02, runHigh: 0 },
  },
}
