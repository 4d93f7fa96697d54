import type { Finding } from '../../model/finding.ts'

/** Every defect this format reports. */
export const DEFECT = {
  leading: { code: 'bmp.leading-data', severity: 'warning', clause: 'BITMAPFILEHEADER' },
  fileHeader: { code: 'bmp.file-header-hit', severity: 'error', clause: 'BITMAPFILEHEADER' },
  fileSize: { code: 'bmp.file-size-wrong', severity: 'info', clause: 'BITMAPFILEHEADER bfSize' },
  pixelOffset: { code: 'bmp.pixel-offset-wrong', severity: 'error', clause: 'BITMAPFILEHEADER bfOffBits' },
  imageSize: { code: 'bmp.image-size-wrong', severity: 'warning', clause: 'BITMAPINFOHEADER biSizeImage' },
  colours: { code: 'bmp.colours-wrong', severity: 'warning', clause: 'BITMAPINFOHEADER biClrUsed' },
  unsupported: {
    code: 'bmp.unsupported-coding',
    severity: 'error',
    clause: 'BITMAPINFOHEADER biCompression',
  },
  header: { code: 'bmp.header-lost', severity: 'error', clause: 'BITMAPINFOHEADER' },
  palette: { code: 'bmp.palette-lost', severity: 'error', clause: 'RGBQUAD' },
  truncated: { code: 'bmp.truncated', severity: 'error' },
  data: { code: 'bmp.data-hit', severity: 'error' },
  shifted: { code: 'bmp.data-shifted', severity: 'error' },
  unclear: { code: 'bmp.length-unclear', severity: 'error' },
  beside: { code: 'bmp.end-missing', severity: 'error' },
  trailing: { code: 'bmp.trailing-data', severity: 'info' },
} as const satisfies Readonly<Record<string, Omit<Finding, 'message'>>>

/** A finding of a defect, with what makes it one of this file. */
export function finding(
  defect: keyof typeof DEFECT,
  message: string,
  place?: { readonly offset: number; readonly length?: number },
): Finding {
  return { ...DEFECT[defect], message, ...place }
}
