import type { Finding } from '../../model/finding.ts'

/** Every defect this format reports. */
export const DEFECT = {
  leading: { code: 'gif.leading-data', severity: 'warning', clause: 'GIF89a §17' },
  signature: { code: 'gif.signature-lost', severity: 'error', clause: 'GIF89a §17' },
  screen: { code: 'gif.screen-lost', severity: 'error', clause: 'GIF89a §18' },
  table: { code: 'gif.colours-lost', severity: 'error', clause: 'GIF89a §19' },
  chain: { code: 'gif.sub-blocks-hit', severity: 'error', clause: 'GIF89a §15' },
  data: { code: 'gif.data-broken', severity: 'error', clause: 'GIF89a §22' },
  truncated: { code: 'gif.truncated', severity: 'error', clause: 'GIF89a §27' },
  trailer: { code: 'gif.trailer-missing', severity: 'error', clause: 'GIF89a §27' },
  junk: { code: 'gif.foreign-bytes', severity: 'error', clause: 'GIF89a Appendix B' },
  noPicture: { code: 'gif.no-picture', severity: 'error', clause: 'GIF89a §20' },
  trailing: { code: 'gif.trailing-data', severity: 'info' },
} as const satisfies Readonly<Record<string, Omit<Finding, 'message'>>>

/** A finding of a defect, with what makes it one of this file. */
export function finding(defect: keyof typeof DEFECT, message: string, offset?: number): Finding {
  return { ...DEFECT[defect], message, ...(offset === undefined ? {} : { offset }) }
}
