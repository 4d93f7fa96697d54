import type { CameraProfile } from '../camera-profile.ts'

export const phoneH263Amr: CameraProfile = {
  name: 'Phone, H.263, AMR',
  marks: [],
  isobmff: { fileType: '000000186674797033677034000004003367703469736f6d', timescale: 1000 },
  tracks: [
    {
      about: 'h263, 176x144',
      id: 1,
      kind: 'video',
      timescale: 1000,
      width: 176,
      height: 144,
      habits: {
        unitDuration: 66.346,
        constantRate: false,
        steady: false,
        jitter: 3.289,
        unitBytes: 720.743,
        constantUnitBytes: 0,
        byteRate: 10638.63,
        runUnits: 15,
        firstCts: 0,
        prefix: '0000',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '000000657332363300000000000000010000000000000000000000000000000000b00090004800000048000000000000' +
          '000100000000000000000000000000000000000000000000000000000000000000000018ffff0000000f64323633454d' +
          '5020000a00',
        information: ['00000014766d6864000000010000000000000000'],
        handlerBox:
          '0000002d68646c72000000000000000076696465000000000000000000000000566964656f48616e646c657200',
        trackBoxes: [],
        edits: [],
      },
    },
    {
      about: 'amr, 8000 Hz, 1 channels',
      id: 2,
      kind: 'audio',
      timescale: 50,
      width: 0,
      height: 0,
      habits: {
        unitDuration: 1,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 32,
        constantUnitBytes: 32,
        byteRate: 1600,
        runUnits: 48,
        firstCts: 0,
        prefix: '3c',
      },
      isobmff: {
        handler: 'soun',
        entry:
          '0000003573616d72000000000000000100000000000000000002001000000000003200000000001164616d72454d5020' +
          '0000800001',
        information: ['00000010736d68640000000000000000'],
        handlerBox:
          '0000002d68646c720000000000000000736f756e000000000000000000000000536f756e6448616e646c657200',
        trackBoxes: [],
        edits: [],
      },
    },
  ],
  layout: {
    patterns: [],
    lead: [0, -0.24],
    spread: [0, 0.29],
    reference: 0,
    filler: 0,
    sound: 1,
    lag: { low: -0.78, high: 0.5, runLow: -1, runHigh: -0.43 },
  },
}
