import type { Finding } from '../../model/finding.ts'

export function headerLost(reason: string): Finding {
  return { code: 'raf.header-lost', severity: 'error', message: reason, offset: 0, length: 148 }
}

export function factsHit(offset: number, length: number): Finding {
  return {
    code: 'raf.facts-hit',
    severity: 'error',
    message: 'the facts about the sensor cannot be read',
    offset,
    length,
  }
}

export function jpegHit(offset: number, length: number): Finding {
  return {
    code: 'raf.jpeg-hit',
    severity: 'error',
    message: 'the picture beside the raw one does not begin as JPEG',
    offset,
    length,
  }
}

export function dataCut(offset: number, missing: number): Finding {
  return {
    code: 'raf.truncated',
    severity: 'error',
    message: `the last ${missing} bytes of the pixels end behind the end of the file`,
    offset,
  }
}

export function dataHit(offset: number, length: number): Finding {
  return {
    code: 'raf.data-hit',
    severity: 'error',
    message: `${length} bytes of the pixels are zeros amid others: they were never written, or hit`,
    offset,
    length,
  }
}
