import type { CameraProfile } from '../camera-profile.ts'

export const appleIphone4sFrontCamera: CameraProfile = {
  name: 'Apple iPhone 4S, front camera',
  marks: [],
  isobmff: { fileType: '0000001466747970717420200000000071742020', timescale: 600 },
  tracks: [
    {
      about: 'h264, 640x480',
      id: 1,
      kind: 'video',
      timescale: 600,
      width: 640,
      height: 480,
      habits: {
        unitDuration: 24.958,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 19538.76,
        constantUnitBytes: 0,
        byteRate: 469681.731,
        runUnits: 25,
        firstCts: 0,
        prefix: '00',
      },
      isobmff: {
        handler: 'vide',
        entry:
          '0000009161766331000000000000000100000000000000000000020000000200028001e0004800000048000000000000' +
          '000105482e32363400000000000000000000000000000000000000000000000000000018ffff00000025617663430142' +
          '001effe1000e6742001eab40501ed3501010602001000428ce3c8000000012636f6c726e636c63000100010006000000' +
          '00',
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
    {
      about: 'aac, 44100 Hz, 1 channels',
      id: 2,
      kind: 'audio',
      timescale: 44100,
      width: 0,
      height: 0,
      habits: {
        unitDuration: 1024,
        constantRate: true,
        steady: true,
        jitter: 0,
        unitBytes: 181.911,
        constantUnitBytes: 0,
        byteRate: 7834.258,
        runUnits: 45,
        firstCts: 0,
        prefix: '',
      },
      isobmff: {
        handler: 'soun',
        entry:
          '000000a76d7034610000000000000001000100000000000000010010fffe0000ac440000000004000000000200000002' +
          '00000002000000186368616e000000000064000100000000000000000000005b776176650000000c66726d616d703461' +
          '0000000c6d703461000000000000003365736473000000000380808022000000048080801440150018000000fa000000' +
          'fa00058080800212080680808001020000000800000000',
        information: [
          '00000010736d68640000000000000000',

          '0000003868646c720000000064686c72616c69736170706c000000000000000017436f7265204d656469612044617461' +
            '2048616e646c6572',
        ],
        handlerBox:
          '0000003168646c72000000006d686c72736f756e6170706c000000000000000010436f7265204d656469612041756469' +
          '6f',
        trackBoxes: [],
        edits: [{ duration: 0, mediaTime: 0, rate: 65536 }],
      },
    },
  ],
  layout: {
    patterns: [],
    lead: [0, 0],
    spread: [0, 0],
    reference: 0,
    filler: 0,
    sound: 1,
    lag: { low: -1.04, high: -0.05, runLow: -1.04, runHigh: -0.05 },
  },
}
