import type { Finding } from '../../model/finding.ts'

export function headerLost(reason: string): Finding {
  return { code: 'mrw.header-lost', severity: 'error', message: reason, offset: 0, length: 8 }
}

export function blocksHit(offset: number): Finding {
  return {
    code: 'mrw.blocks-hit',
    severity: 'error',
    message: 'the blocks of the header do not follow each other up to the pixels',
    offset,
  }
}

export function dataCut(offset: number, missing: number): Finding {
  return {
    code: 'mrw.truncated',
    severity: 'error',
    message: `the last ${missing} bytes of the pixels end behind the end of the file`,
    offset,
  }
}

export function dataHit(offset: number, length: number): Finding {
  return {
    code: 'mrw.data-hit',
    severity: 'error',
    message: `${length} bytes of the pixels are zeros amid others: they were never written, or hit`,
    offset,
    length,
  }
}
