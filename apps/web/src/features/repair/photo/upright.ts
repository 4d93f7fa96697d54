interface Size {
  readonly width: number
  readonly height: number
}

interface Rectangle extends Size {
  readonly x: number
  readonly y: number
}

/** How a viewer turns a stored picture, Exif 2.32 §4.6.4: whether sides are swapped first, then what is mirrored. */
const TURNS: Readonly<
  Record<number, { readonly swap: boolean; readonly flipX: boolean; readonly flipY: boolean }>
> = {
  2: { swap: false, flipX: true, flipY: false },
  3: { swap: false, flipX: true, flipY: true },
  4: { swap: false, flipX: false, flipY: true },
  5: { swap: true, flipX: false, flipY: false },
  6: { swap: true, flipX: true, flipY: false },
  7: { swap: true, flipX: true, flipY: true },
  8: { swap: true, flipX: false, flipY: true },
}
const AS_STORED = { swap: false, flipX: false, flipY: false }

/** Size of a stored picture as it is shown, in pixels. */
export function uprightSize({ width, height }: Size, orientation: number): Size {
  const { swap } = TURNS[orientation] ?? AS_STORED
  return swap ? { width: height, height: width } : { width, height }
}

/** A rectangle of a stored picture where it is shown, in pixels. */
export function uprightArea(area: Rectangle, picture: Size, orientation: number): Rectangle {
  const { swap, flipX, flipY } = TURNS[orientation] ?? AS_STORED
  const turned = swap ? { x: area.y, y: area.x, width: area.height, height: area.width } : area
  const { width, height } = uprightSize(picture, orientation)
  return {
    x: flipX ? width - turned.x - turned.width : turned.x,
    y: flipY ? height - turned.y - turned.height : turned.y,
    width: turned.width,
    height: turned.height,
  }
}
