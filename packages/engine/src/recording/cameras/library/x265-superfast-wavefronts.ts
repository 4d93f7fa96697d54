import type { CameraProfile } from '../camera-profile.ts'

export const x265SuperfastWavefronts: CameraProfile = {
  name: 'x265, superfast, wavefronts',
  marks: [],
  isobmff: { fileType: '0000001c6674797069736f6d0000020069736f6d69736f326d703431', timescale: 48000 },
  tracks: [
    {
      about: 'hevc, 640x360',
      id: 1,
      kind: 'video',
      timescale: 15360,
      width: 640,
      height: 360,
      habits: {
        unitDuration: 512,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 9393.3,
        constantUnitBytes: 0,
        byteRate: 281799,
        runUnits: 1,
        firstCts: 0,
        prefix: '0000',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '000000de6876633100000000000000010000000000000000000000000000000002800168004800000048000000000000' +
          '000100000000000000000000000000000000000000000000000000000000000000000018ffff00000074687663430101' +
          '600000009000000000003ff000fcfdf8f800000f03a00001001840010c01ffff01600000030090000003000003003fba' +
          '0240a10001002842010101600000030090000003000003003fa00502016965bab930b9a020000003002000000303c1a2' +
          '000100064401c173c1890000001462747274000000000022663800000000',
        information: ['00000014766d6864000000010000000000000000'],
        handlerBox:
          '0000002d68646c72000000000000000076696465000000000000000000000000566964656f48616e646c657200',
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
        unitBytes: 170.832,
        constantUnitBytes: 0,
        byteRate: 8028.859,
        runUnits: 2,
        firstCts: 0,
        prefix: '21',
      },
      isobmff: {
        handler: 'soun',
        entry:
          '0000006e6d703461000000000000000100000000000000000002001000000000bb800000000000366573647300000000' +
          '0380808025000200048080801740150000000000fae60000fae60580808005119056e500068080800102000000146274' +
          '7274000000000000fae60000fae6',
        information: ['00000010736d68640000000000000000'],
        handlerBox:
          '0000002d68646c720000000000000000736f756e000000000000000000000000536f756e6448616e646c657200',
        trackBoxes: [],
        edits: [{ duration: 0, mediaTime: 1024, rate: 65536 }],
      },
    },
  ],
  layout: {
    patterns: [],
    lead: [0, 0],
    spread: [0, 0.01],
    reference: 0,
    filler: 0,
    sound: 1,
    lag: { low: -0.04, high: -0.02, runLow: -0.04, runHigh: -0.02 },
  },
}
