import type { Finding } from '../../model/finding.ts'
import { NAMES } from './ids.ts'

const RFC = 'RFC 9559'

export function headMissing(what: string): Finding {
  return {
    code: 'matroska.head-missing',
    severity: 'error',
    message: `the ${what} is missing`,
    clause: `${RFC} §4.5`,
  }
}

export function elementBroken(id: number, offset: number, length: number): Finding {
  return {
    code: 'matroska.element-broken',
    severity: 'error',
    message: `${NAMES[id] ?? 'an element'} does not hold together, or its sum does not hold`,
    offset,
    length,
  }
}

export function elementAltered(id: number, offset: number, length: number): Finding {
  return {
    code: 'matroska.element-altered',
    severity: 'warning',
    message: `the sum of ${NAMES[id] ?? 'an element'} does not hold, though its parts do: it was edited or hit, and stays as it is`,
    offset,
    length,
  }
}

export function truncated(offset: number, length: number): Finding {
  return {
    code: 'matroska.truncated',
    severity: 'error',
    message: `the file ends inside the element at ${offset}`,
    offset,
    length,
  }
}

export function segmentSize(offset: number, stated: number, size: number): Finding {
  return {
    code: 'matroska.segment-size',
    severity: 'error',
    message: `the Segment is to end at ${stated}, in a file of ${size} bytes`,
    offset,
    clause: `${RFC} §5.1`,
  }
}

export function gap(offset: number, length: number, filled: boolean): Finding {
  return {
    code: 'matroska.gap',
    severity: 'error',
    message: filled
      ? `${length} bytes belong to no element`
      : `${length} bytes are zero where elements should be`,
    offset,
    length,
  }
}

export function trailing(offset: number, length: number): Finding {
  return {
    code: 'matroska.trailing',
    severity: 'warning',
    message: `${length} foreign bytes follow the end of the Segment`,
    offset,
    length,
  }
}

export function clusterSize(offset: number, stated: number, found: number): Finding {
  return {
    code: 'matroska.cluster-size',
    severity: 'error',
    message: `the Cluster is to end at ${stated}, its blocks end at ${found}`,
    offset,
    clause: `${RFC} §5.1.3`,
  }
}

export function clusterTime(offset: number): Finding {
  return {
    code: 'matroska.cluster-time',
    severity: 'error',
    message: 'blocks belong to no Cluster that says its time',
    offset,
    clause: `${RFC} §5.1.3.1`,
  }
}

export function clusterAltered(offset: number, length: number): Finding {
  return {
    code: 'matroska.cluster-altered',
    severity: 'error',
    message: 'the sum of the Cluster does not hold: some of its bytes are altered, nothing shows which',
    offset,
    length,
    clause: 'RFC 8794 §11.3.1',
  }
}

export const BLOCK_HIT = 'matroska.block-hit'

export function blockHit(offset: number, length: number, track: number): Finding {
  return {
    code: BLOCK_HIT,
    severity: 'error',
    message: `a block of track ${track} is hit`,
    offset,
    length,
  }
}

export function strangeTrack(track: number, count: number): Finding {
  return {
    code: 'matroska.strange-track',
    severity: 'warning',
    message: `${count} blocks belong to track ${track}, which Tracks does not have`,
    clause: `${RFC} §5.1.4`,
  }
}

/** `meant`: the program that wrote the file kept room for them. */
export function cuesMissing(meant: boolean): Finding {
  return {
    code: 'matroska.cues-missing',
    severity: meant ? 'warning' : 'info',
    message: 'there are no Cues: players cannot seek',
    clause: `${RFC} §5.1.5`,
  }
}

export function cuesWrong(count: number, offset: number, length: number): Finding {
  return {
    code: 'matroska.cues-wrong',
    severity: 'error',
    message: `${count} entries of the Cues point to no Cluster or block of their time`,
    offset,
    length,
    clause: `${RFC} §5.1.5`,
  }
}

export function seekWrong(count: number, offset: number, length: number): Finding {
  return {
    code: 'matroska.seek-wrong',
    severity: 'warning',
    message: `${count} entries of the SeekHead do not point to what they name`,
    offset,
    length,
    clause: `${RFC} §5.1.1`,
  }
}

/** `meant`: the program that wrote the file kept room for it. */
export function durationMissing(meant: boolean): Finding {
  return {
    code: 'matroska.duration-missing',
    severity: meant ? 'warning' : 'info',
    message: 'the Duration is not stated: players show no length',
    clause: `${RFC} §5.1.2.10`,
  }
}

export function durationWrong(stated: number, found: number): Finding {
  return {
    code: 'matroska.duration-wrong',
    severity: 'warning',
    message: `the Duration is stated as ${stated} ticks, the blocks end at ${found}`,
    clause: `${RFC} §5.1.2.10`,
  }
}

export function furtherRecording(offset: number, length: number): Finding {
  return {
    code: 'matroska.further-recording',
    severity: 'warning',
    message: 'a further recording follows',
    offset,
    length,
  }
}

export function encrypted(track: number): Finding {
  return {
    code: 'matroska.encrypted',
    severity: 'warning',
    message: `track ${track} is encrypted`,
    clause: `${RFC} §5.1.4.1.31.8`,
  }
}

export function blockTime(offset: number, track: number): Finding {
  return {
    code: 'matroska.block-time',
    severity: 'error',
    message: `a bit of the time of a block of track ${track} is flipped`,
    offset,
    clause: `${RFC} §10.1`,
  }
}
