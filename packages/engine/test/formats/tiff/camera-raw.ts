/**
 * A camera's raw photo in small: a first directory that tells of the camera, a preview, a directory of the raw picture, its
 * pixels.
 */
export interface CameraRaw {
  readonly bytes: Uint8Array
  /** Where the raw picture's directory and its pixels begin. */
  readonly directory: number
  readonly pixels: number
}

export interface CameraSettings {
  readonly seed: number
  /** Bytes of the preview: they differ from photo to photo. */
  readonly preview: number
  readonly date: string
  /** The raw picture's directory stands behind its pixels. */
  readonly behind?: boolean
  /** What the pixels are coded as, and how: uncoded if absent. */
  readonly coded?: { readonly compression: number; readonly bytes: Uint8Array }
}

const WIDTH = 64
const HEIGHT = 48
const FRONT = 512
const PIXEL_BYTES = 2

type Field = readonly [tag: number, type: 2 | 3 | 4, value: number | string]

/** Writes such a photo. */
export function cameraRaw({ seed, preview, date, behind = false, coded }: CameraSettings): CameraRaw {
  const pixelBytes = coded?.bytes ?? drawn(seed)
  const afterPreview = FRONT + preview + (preview % 2)
  const rawDirectory = 11 * 12 + 6 + date.length + 1
  const directory = behind ? afterPreview + pixelBytes.length + (pixelBytes.length % 2) : afterPreview
  const pixels = behind ? afterPreview : afterPreview + rawDirectory
  const bytes = new Uint8Array(Math.max(directory + rawDirectory, pixels + pixelBytes.length))
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0x4949)
  view.setUint16(2, 42, true)
  view.setUint32(4, 8, true)
  writeDirectory(view, 8, [
    [0x010f, 2, 'Maker of cameras'],
    [0x0110, 2, 'Model number one'],
    [0x0112, 3, 1],
    [0x0132, 2, date],
    [0x0201, 4, FRONT],
    [0x0202, 4, preview],
    [0x014a, 4, directory],
    [0x8825, 4, 400],
  ])
  writeDirectory(view, 400, [[0x0001, 2, `place ${date}`]])
  for (let i = 0; i < preview; i++) bytes[FRONT + i] = (i * 31 + seed * 7) & 0xff
  writeDirectory(view, directory, [
    [0x00fe, 4, 0],
    [0x0100, 4, WIDTH],
    [0x0101, 4, HEIGHT],
    [0x0102, 3, 16],
    [0x0103, 3, coded?.compression ?? 1],
    [0x0106, 3, 32803],
    [0x0111, 4, pixels],
    [0x0115, 3, 1],
    [0x0116, 4, HEIGHT],
    [0x0117, 4, pixelBytes.length],
    [0x0132, 2, date],
  ])
  bytes.set(pixelBytes, pixels)
  return { bytes, directory, pixels }
}

/** Values of a sensor: a slow walk, which neighbours share. */
function drawn(seed: number): Uint8Array {
  const bytes = new Uint8Array(WIDTH * HEIGHT * PIXEL_BYTES)
  const view = new DataView(bytes.buffer)
  let [state, value] = [seed, 900]
  for (let at = 0; at < bytes.length; at += PIXEL_BYTES) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    value = Math.max(300, Math.min(3_800, value + ((state >>> 16) % 41) - 20))
    view.setUint16(at, value, true)
  }
  return bytes
}

/** One directory; text lies behind it. */
function writeDirectory(view: DataView, at: number, fields: readonly Field[]): void {
  view.setUint16(at, fields.length, true)
  let free = at + 2 + fields.length * 12 + 4
  for (const [i, [tag, type, value]] of fields.entries()) {
    const field = at + 2 + i * 12
    view.setUint16(field, tag, true)
    view.setUint16(field + 2, type, true)
    if (typeof value === 'number') {
      view.setUint32(field + 4, 1, true)
      if (type === 3) view.setUint16(field + 8, value, true)
      else view.setUint32(field + 8, value, true)
      continue
    }
    view.setUint32(field + 4, value.length + 1, true)
    view.setUint32(field + 8, free, true)
    for (const character of value) view.setUint8(free++, character.charCodeAt(0))
    free += 1 + ((free + 1) % 2)
  }
}
