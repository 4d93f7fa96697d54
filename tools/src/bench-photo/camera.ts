import { walkHeader } from './header.ts'

const APP1 = 0xe1
/** Behind the marker and its length: "Exif" and two zeros. */
const TIFF = 10
const MAKE = 0x010f
const MODEL = 0x0110
const LITTLE = 0x4949
const ENTRY = 12

/** Maker and model by a photo's Exif, CIPA DC-008-2019 §4.6.4; undefined where it tells none. */
export function cameraOf(photo: Uint8Array): string | undefined {
  const segment = walkHeader(photo).find(
    ({ code, start }) => code === APP1 && photo[start + 4] === 0x45 && photo[start + 5] === 0x78,
  )
  if (!segment) return undefined
  const tiff = photo.subarray(segment.start + TIFF, segment.end)
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length)
  if (tiff.length < 8) return undefined
  const little = view.getUint16(0) === LITTLE
  const directory = view.getUint32(4, little)
  if (directory + 2 > tiff.length) return undefined
  const told = new Map<number, string>()
  for (let i = 0; i < view.getUint16(directory, little); i++) {
    const entry = directory + 2 + i * ENTRY
    if (entry + ENTRY > tiff.length) break
    const tag = view.getUint16(entry, little)
    if (tag !== MAKE && tag !== MODEL) continue
    const length = view.getUint32(entry + 4, little)
    const at = length > 4 ? view.getUint32(entry + 8, little) : entry + 8
    told.set(tag, Buffer.from(tiff.subarray(at, at + length)).toString('latin1'))
  }
  const model = told.get(MODEL)
  return model && `${told.get(MAKE) ?? ''} ${model}`
}
