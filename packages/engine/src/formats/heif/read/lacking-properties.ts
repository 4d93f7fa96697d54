import type { HeifMeta, Item } from './meta.ts'
import type { Picture } from './picture.ts'

/** A property that a part of the photo must have and is not told to. */
export interface Lacking {
  readonly type: string
  readonly item: Item
}

/** What an AV1 picture is not shown without, in the order in which it is read: AV1 Image File Format §2.2. */
const NEEDED = ['ispe', 'av1C'] as const

/**
 * Properties that the AV1 pictures of a photo lack, which their own sequence headers tell. One that is there and tells nothing is
 * not among them.
 */
export function lackingProperties({ properties }: HeifMeta, { tiles }: Picture): readonly Lacking[] {
  return tiles.flatMap(({ item }) => {
    if (item.type !== 'av01') return []
    const types = new Set(item.properties.map((number) => properties[number - 1]?.type))
    return NEEDED.filter((type) => !types.has(type)).map((type) => ({ type, item }))
  })
}
