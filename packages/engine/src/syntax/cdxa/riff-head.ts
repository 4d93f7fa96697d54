import { SECTOR_BYTES } from './sector.ts'

/** Bytes in front of the first sector: the form's name, its format chunk and the header of the data chunk. */
export const RIFF_HEAD_BYTES = 44
const FORMAT = 20

/** Whether a file of Video CD sectors begins so. */
export function isRiffHead(bytes: Uint8Array): boolean {
  return text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'CDXA'
}

/** Whether both sizes are those of a file with so many sectors. */
export function fitsSectors(bytes: Uint8Array, sectors: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const data = sectors * SECTOR_BYTES
  return view.getUint32(4, true) === data + RIFF_HEAD_BYTES - 8 && view.getUint32(40, true) === data
}

/** The head of a file with so many sectors; what else it says is taken from `before`, where that is one. */
export function riffHead(sectors: number, before: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(RIFF_HEAD_BYTES)
  const view = new DataView(bytes.buffer)
  const data = sectors * SECTOR_BYTES
  put(bytes, 0, 'RIFF')
  view.setUint32(4, (data + RIFF_HEAD_BYTES - 8) >>> 0, true)
  put(bytes, 8, 'CDXAfmt ')
  view.setUint32(16, 16, true)
  // owner and group 0, readable by all, mode 2 form 2, file number 1
  bytes.set([0, 0, 0, 0, 0x55, 0x15, 0x58, 0x41, 1], FORMAT)
  if (isRiffHead(before)) bytes.set(before.subarray(FORMAT, FORMAT + 16), FORMAT)
  put(bytes, 36, 'data')
  view.setUint32(40, data >>> 0, true)
  return bytes
}

function text(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

function put(bytes: Uint8Array, at: number, name: string): void {
  for (let i = 0; i < name.length; i++) bytes[at + i] = name.charCodeAt(i)
}
