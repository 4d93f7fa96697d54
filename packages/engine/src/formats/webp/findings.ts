import type { Finding } from '../../model/finding.ts'

/** Every defect this format reports. */
export const DEFECT = {
  signature: { code: 'webp.signature-lost', severity: 'error', clause: 'RFC 9649 §2.4' },
  fileSize: { code: 'webp.file-size', severity: 'error', clause: 'RFC 9649 §2.4' },
  type: { code: 'webp.chunk-type-hit', severity: 'error', clause: 'RFC 9649 §2.3' },
  size: { code: 'webp.chunk-size-hit', severity: 'error', clause: 'RFC 9649 §2.3' },
  truncated: { code: 'webp.truncated', severity: 'error', clause: 'RFC 9649 §2.3' },
  junk: { code: 'webp.foreign-bytes', severity: 'error', clause: 'RFC 9649 §2.7' },
  features: { code: 'webp.features', severity: 'error', clause: 'RFC 9649 §2.7' },
  frame: { code: 'webp.frame-hit', severity: 'error', clause: 'RFC 9649 §2.7.1.1' },
  header: { code: 'webp.header-hit', severity: 'error', clause: 'RFC 6386 §9.1' },
  data: { code: 'webp.data-broken', severity: 'error', clause: 'RFC 9649 §2.5' },
  torn: { code: 'webp.data-hit', severity: 'error', clause: 'RFC 9649 §2.5' },
  alpha: { code: 'webp.transparency-hit', severity: 'error', clause: 'RFC 9649 §2.7.1.2' },
  noPicture: { code: 'webp.no-picture', severity: 'error', clause: 'RFC 9649 §2.5' },
  trailing: { code: 'webp.trailing-data', severity: 'info' },
} as const satisfies Readonly<Record<string, Omit<Finding, 'message'>>>

/** A finding of a defect, with what makes it one of this file. */
export function finding(defect: keyof typeof DEFECT, message: string, offset?: number): Finding {
  return { ...DEFECT[defect], message, ...(offset === undefined ? {} : { offset }) }
}
