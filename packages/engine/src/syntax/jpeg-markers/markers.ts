/** Marker codes behind FF, ITU-T T.81 (09/1992) Table B.1. */
export const SOF0 = 0xc0
export const SOF1 = 0xc1
export const SOF2 = 0xc2
export const SOF3 = 0xc3
export const DHT = 0xc4
export const JPG = 0xc8
export const DAC = 0xcc
export const RST0 = 0xd0
export const RST7 = 0xd7
export const SOI = 0xd8
export const EOI = 0xd9
export const SOS = 0xda
export const DQT = 0xdb
export const DNL = 0xdc
export const DRI = 0xdd
export const APP0 = 0xe0
export const APP1 = 0xe1
export const APP2 = 0xe2
export const APP14 = 0xee
export const APP11 = 0xeb
export const APP15 = 0xef
export const COM = 0xfe

/** A start of frame of any coding process. */
export function isFrame(marker: number): boolean {
  return marker >= SOF0 && marker <= 0xcf && marker !== DHT && marker !== JPG && marker !== DAC
}

/** A marker that begins a segment with a length. */
export function isSegment(marker: number): boolean {
  return (
    isFrame(marker) ||
    marker === DHT ||
    marker === DAC ||
    (marker >= SOS && marker <= 0xdf) ||
    (marker >= APP0 && marker <= APP15) ||
    marker === COM
  )
}

/** A restart marker. */
export function isRestart(marker: number): boolean {
  return marker >= RST0 && marker <= RST7
}
