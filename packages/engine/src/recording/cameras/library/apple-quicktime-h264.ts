import type { CameraProfile } from '../camera-profile.ts'

export const appleQuicktimeH264: CameraProfile = {
  name: 'Apple QuickTime, H.264',
  marks: [],
  isobmff: { fileType: '0000001466747970717420200000000071742020', timescale: 600 },
  tracks: [
    {
      about: 'aac, 44100 Hz, 2 channels',
      id: 1,
      kind: 'audio',
      timescale: 44100,
      width: 0,
      height: 0,
      habits: {
        unitDuration: 1024,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 220.102,
        constantUnitBytes: 0,
        byteRate: 9479.023,
        runUnits: 27,
        firstCts: 0,
        prefix: '21',
      },
      isobmff: {
        handler: 'soun',
        entry:
          '000000a76d7034610000000000000001000100000000000000020010fffe0000ac440000000004000000000100000002' +
          '00000002000000186368616e000000000065000200000000000000000000005b776176650000000c66726d616d703461' +
          '0000000c6d703461000000000000003365736473000000000380808022000000048080801440150018000001f4000001' +
          'f400058080800212100680808001020000000800000000',
        information: [
          '00000010736d68640000000000000000',

          '0000003868646c720000000064686c72616c69736170706c000000000000000017436f7265204d656469612044617461' +
            '2048616e646c6572',
        ],
        handlerBox:
          '0000003168646c72000000006d686c72736f756e6170706c000000000000000010436f7265204d656469612041756469' +
          '6f',
        trackBoxes: [],
        edits: [
          { duration: 52, mediaTime: -1, rate: 65536 },
          { duration: 0, mediaTime: 0, rate: 65536 },
        ],
      },
    },
    {
      about: 'h264, 640x480',
      id: 2,
      kind: 'video',
      timescale: 600,
      width: 640,
      height: 480,
      habits: {
        unitDuration: 35.43,
        constantRate: false,
        steady: true,
        jitter: 4.693,
        unitBytes: 2770.691,
        constantUnitBytes: 0,
        byteRate: 46398.23,
        runUnits: 10,
        firstCts: 0,
        prefix: '0000',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '000000a761766331000000000000000100000000000000000000020000000200028001e0004800000048000000000000' +
          '000105482e32363400000000000000000000000000000000000000000000000000000018ffff00000012636f6c726e63' +
          '6c63000100010001000000107061737000000001000000010000002b61766343014d401effe10014274d401ea9181407' +
          'b602d4040406db0ad7bdf01001000428de09c800000000',
        information: [
          '00000014766d6864000000010040800080008000',

          '0000003868646c720000000064686c72616c69736170706c000000000000000017436f7265204d656469612044617461' +
            '2048616e646c6572',
        ],
        handlerBox:
          '0000003168646c72000000006d686c72766964656170706c000000000000000010436f7265204d656469612056696465' +
          '6f',
        trackBoxes: [
          '000000447461707400000014636c6566000000000280000001e000000000001470726f66000000000280000001e00000' +
            '00000014656e6f66000000000280000001e00000',
        ],
        edits: [{ duration: 0, mediaTime: 0, rate: 65536 }],
      },
    },
  ],
  layout: {
    patterns: [],
    lead: [1.49, 0],
    spread: [0.75, 0],
    reference: 1,
    filler: 4020,
    sound: 0,
    lag: { low: -2.02, high: -0.27, runLow: -2.02, runHigh: -1.93 },
  },
}
