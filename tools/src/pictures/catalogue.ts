import { blurry, corrupt, type Damage, faded, greyedOut, pixelated } from './damage/damage.ts'
import { paintShader } from './paint/painter.ts'
import type { LightField } from './paint/picture.ts'
import { Tracer } from './paint/tracer.ts'
import { arcadeScene } from './scenes/arcade.ts'
import { ASCENT, balloonShader, SUNRISE } from './scenes/balloons.ts'
import { bowlScene } from './scenes/bowl.ts'
import { canalScene } from './scenes/canal.ts'
import { citrusScene } from './scenes/citrus.ts'
import { lakeShader } from './scenes/lake.ts'

export interface Entry {
  readonly name: string
  readonly exposure: number
  /** Height over width; 2/3 where it is not said. */
  readonly shape?: number
  /** Absent where the damage is that nothing is shown. */
  readonly damage?: Damage
  paint(width: number, height: number, samples: number): LightField
}

/** The pictures of the photo page, one for each kind of damage, and the one of its head. */
export const CATALOGUE: readonly Entry[] = [
  {
    name: 'dawn',
    exposure: 0.62,
    shape: 3 / 4,
    paint: (width, height, samples) =>
      paintShader(balloonShader(ASCENT, 4.2), width, height, Math.ceil(samples / 4)),
  },
  {
    name: 'bowl',
    exposure: 0.42,
    damage: blurry,
    paint: (width, height, samples) => new Tracer(bowlScene).paint(width, height, samples),
  },
  {
    name: 'arcade',
    exposure: 0.36,
    damage: pixelated,
    paint: (width, height, samples) => new Tracer(arcadeScene).paint(width, height, samples),
  },
  {
    name: 'lake',
    exposure: 0.6,
    paint: (width, height, samples) => paintShader(lakeShader, width, height, Math.ceil(samples / 6)),
  },
  {
    name: 'balloons',
    exposure: 0.62,
    damage: greyedOut,
    paint: (width, height, samples) =>
      paintShader(balloonShader(SUNRISE, 0), width, height, Math.ceil(samples / 4)),
  },
  {
    name: 'canal',
    exposure: 0.4,
    damage: corrupt,
    paint: (width, height, samples) => new Tracer(canalScene).paint(width, height, samples),
  },
  {
    name: 'citrus',
    exposure: 0.42,
    damage: faded,
    paint: (width, height, samples) => new Tracer(citrusScene).paint(width, height, samples),
  },
]
