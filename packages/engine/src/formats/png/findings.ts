import type { Finding } from '../../model/finding.ts'

const EDITION = 'PNG (Third Edition)'

/** Every defect this format reports. */
export const DEFECT = {
  signature: { code: 'png.signature-lost', severity: 'error', clause: `${EDITION} §5.2` },
  putIn: { code: 'png.bytes-put-in', severity: 'error', clause: `${EDITION} §5.3` },
  textMode: { code: 'png.text-mode', severity: 'error', clause: `${EDITION} §5.2` },
  chunkHead: { code: 'png.chunk-head-hit', severity: 'error', clause: `${EDITION} §5.3` },
  checksum: { code: 'png.checksum-wrong', severity: 'error', clause: `${EDITION} §5.3` },
  junk: { code: 'png.foreign-bytes', severity: 'error', clause: `${EDITION} §5.3` },
  header: { code: 'png.header-lost', severity: 'error', clause: `${EDITION} §11.2.1` },
  palette: { code: 'png.palette-lost', severity: 'error', clause: `${EDITION} §11.2.2` },
  data: { code: 'png.data-broken', severity: 'error', clause: `${EDITION} §10` },
  dataChecksum: { code: 'png.data-checksum-wrong', severity: 'error', clause: 'RFC 1950 §2.2' },
  truncated: { code: 'png.truncated', severity: 'error', clause: `${EDITION} §5.6` },
  end: { code: 'png.end-missing', severity: 'error', clause: `${EDITION} §11.2.4` },
  noPicture: { code: 'png.no-picture', severity: 'error', clause: `${EDITION} §11.2.3` },
  animation: { code: 'png.animation-hit', severity: 'error', clause: `${EDITION} §11.3.6` },
  trailing: { code: 'png.trailing-data', severity: 'info' },
} as const satisfies Readonly<Record<string, Omit<Finding, 'message'>>>

/** A finding of a defect, with what makes it one of this file. */
export function finding(
  defect: keyof typeof DEFECT,
  message: string,
  place?: { readonly offset: number; readonly length?: number },
): Finding {
  return { ...DEFECT[defect], message, ...place }
}
