import type { Finding } from '../../model/finding.ts'

const EDITION = 'ITU-T T.81 (09/1992)'

/** Every defect this format reports. */
export const DEFECT = {
  startMissing: { code: 'jpeg.start-missing', severity: 'error', clause: `${EDITION} §B.2.1` },
  leadingData: { code: 'jpeg.leading-data', severity: 'warning', clause: `${EDITION} §B.2.1` },
  headerBroken: { code: 'jpeg.header-broken', severity: 'error', clause: `${EDITION} §B.1.1.4` },
  frameMissing: { code: 'jpeg.frame-missing', severity: 'error', clause: `${EDITION} §B.2.2` },
  scanHeaderMissing: { code: 'jpeg.scan-header-missing', severity: 'error', clause: `${EDITION} §B.2.3` },
  quantisationMissing: {
    code: 'jpeg.quantisation-missing',
    severity: 'error',
    clause: `${EDITION} §B.2.4.1`,
  },
  quantisationDamaged: {
    code: 'jpeg.quantisation-damaged',
    severity: 'error',
    clause: `${EDITION} §B.2.4.1`,
  },
  huffmanMissing: { code: 'jpeg.huffman-missing', severity: 'error', clause: `${EDITION} §B.2.4.2` },
  scanDamaged: { code: 'jpeg.scan-damaged', severity: 'error', clause: `${EDITION} §F.2.2` },
  truncated: { code: 'jpeg.truncated', severity: 'error', clause: `${EDITION} §B.2.1` },
  endMissing: { code: 'jpeg.end-missing', severity: 'warning', clause: `${EDITION} §B.2.1` },
  trailingData: { code: 'jpeg.trailing-data', severity: 'info' },
  furtherPictures: { code: 'jpeg.further-pictures', severity: 'info', clause: 'CIPA DC-007-2009 §4.1' },
  furtherDamaged: { code: 'jpeg.further-damaged', severity: 'error', clause: 'CIPA DC-007-2009 §4.1' },
  foreignPicture: { code: 'jpeg.foreign-picture', severity: 'error' },
  unsupported: { code: 'jpeg.unsupported-process', severity: 'error', clause: `${EDITION} Table B.1` },
  noPicture: { code: 'jpeg.no-picture', severity: 'error' },
} as const satisfies Readonly<Record<string, Omit<Finding, 'message'>>>

/** A finding of a defect, with what makes it one of this file. */
export function finding(
  defect: keyof typeof DEFECT,
  message: string,
  place?: { readonly offset: number; readonly length?: number },
): Finding {
  return { ...DEFECT[defect], message, ...place }
}
