import type { ComparisonKind } from './content.ts'
import type { Sources } from './picture-sizes.ts'
import arcade from './pictures/arcade.webp'
import arcadeDamaged from './pictures/arcade-damaged.webp'
import arcadeDamagedSmall from './pictures/arcade-damaged-small.webp'
import arcadeSmall from './pictures/arcade-small.webp'
import balloons from './pictures/balloons.webp'
import balloonsDamaged from './pictures/balloons-damaged.webp'
import balloonsDamagedSmall from './pictures/balloons-damaged-small.webp'
import balloonsSmall from './pictures/balloons-small.webp'
import bowl from './pictures/bowl.webp'
import bowlDamaged from './pictures/bowl-damaged.webp'
import bowlDamagedSmall from './pictures/bowl-damaged-small.webp'
import bowlSmall from './pictures/bowl-small.webp'
import canal from './pictures/canal.webp'
import canalDamaged from './pictures/canal-damaged.webp'
import canalDamagedSmall from './pictures/canal-damaged-small.webp'
import canalSmall from './pictures/canal-small.webp'
import citrus from './pictures/citrus.webp'
import citrusDamaged from './pictures/citrus-damaged.webp'
import citrusDamagedSmall from './pictures/citrus-damaged-small.webp'
import citrusSmall from './pictures/citrus-small.webp'
import lake from './pictures/lake.webp'
import lakeSmall from './pictures/lake-small.webp'

/** The photos of the page, all painted by `tools/src/pictures`; the damaged ones from damaged copies of their files. */
export const PICTURES: Readonly<
  Record<ComparisonKind, { readonly whole: Sources; readonly damaged?: Sources }>
> = {
  blurry: {
    whole: { full: bowl, small: bowlSmall },
    damaged: { full: bowlDamaged, small: bowlDamagedSmall },
  },
  pixelated: {
    whole: { full: arcade, small: arcadeSmall },
    damaged: { full: arcadeDamaged, small: arcadeDamagedSmall },
  },
  'not-opening': { whole: { full: lake, small: lakeSmall } },
  'greyed-out': {
    whole: { full: balloons, small: balloonsSmall },
    damaged: { full: balloonsDamaged, small: balloonsDamagedSmall },
  },
  corrupt: {
    whole: { full: canal, small: canalSmall },
    damaged: { full: canalDamaged, small: canalDamagedSmall },
  },
  fading: {
    whole: { full: citrus, small: citrusSmall },
    damaged: { full: citrusDamaged, small: citrusDamagedSmall },
  },
}
