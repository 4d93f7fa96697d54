import type { Finding } from '../../model/finding.ts'

const AVI = 'AVI RIFF File Reference'

export function headerMissing(): Finding {
  return {
    code: 'avi.header-missing',
    severity: 'error',
    message: 'the list hdrl, which describes the streams, is not there',
    clause: AVI,
  }
}

export function noData(): Finding {
  return { code: 'avi.data-missing', severity: 'error', message: 'no chunk of any stream was found' }
}

export function indexMissing(): Finding {
  return {
    code: 'avi.index-missing',
    severity: 'error',
    message: 'there is no index: nothing can be sought',
    clause: AVI,
  }
}

export function indexIncomplete(unnamed: number): Finding {
  return {
    code: 'avi.index-incomplete',
    severity: 'error',
    message: `the index does not name ${unnamed} chunks that are there`,
  }
}

export function indexBeyond(missing: number): Finding {
  return {
    code: 'avi.index-beyond',
    severity: 'error',
    message: `the index names ${missing} chunks that are not where they should be`,
  }
}

export function indexDiffers(differing: number): Finding {
  return {
    code: 'avi.index-differs',
    severity: 'error',
    message: `the index tells another size or stream of ${differing} chunks than they do`,
    clause: AVI,
  }
}

export function sizeWrong(): Finding {
  return {
    code: 'avi.size-wrong',
    severity: 'error',
    message: 'the file or its data list tells a size that it does not have',
    clause: AVI,
  }
}

export function countWrong(
  stream: number,
  told: number,
  there: number,
  severity: Finding['severity'],
): Finding {
  return {
    code: 'avi.length-wrong',
    severity,
    message: `stream ${stream} is said to have ${told} units and has ${Math.round(there)}`,
    clause: AVI,
  }
}

export function hole(offset: number, length: number): Finding {
  return {
    code: 'avi.hole',
    severity: 'error',
    message: `no chunk begins in ${length} bytes between others`,
    offset,
    length,
  }
}

export function trailing(offset: number, length: number, severity: Finding['severity']): Finding {
  return {
    code: 'avi.foreign-bytes',
    severity,
    message: `${length} bytes behind the last chunk are none`,
    offset,
    length,
  }
}

export function chunkHeader(offset: number): Finding {
  return { code: 'avi.chunk-header', severity: 'error', message: 'a chunk header was hit', offset, length: 8 }
}

export function cutOff(offset: number): Finding {
  return { code: 'avi.cut', severity: 'error', message: 'the file ends inside a chunk', offset, length: 0 }
}

export function zeros(offset: number, length: number): Finding {
  return {
    code: 'avi.zeros',
    severity: 'error',
    message: 'zeros in a picture that no encoder writes',
    offset,
    length,
  }
}

export function unitHit(offset: number, length: number): Finding {
  return {
    code: 'avi.unit-hit',
    severity: 'error',
    message: 'a checksum of sound does not hold',
    clause: 'ETSI TS 102 366 §7.10.1',
    offset,
    length,
  }
}
