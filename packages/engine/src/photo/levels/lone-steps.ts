import type { Section } from '../reading/pieces.ts'
import type { ColouredSection } from './colour.ts'

const BLOCK = 8
/** Levels of a step that a slope of the picture's own is less than. */
const SLIGHT = 4

/**
 * Sections of a stretch whose DC is known, cut at steps of DC that were solved, without cuts in front of the first that tells a
 * step: a slight one does where no other of the same component is less than a row, of `wide` MCUs, from it. A turned bit makes
 * one step, which a whole row tells; slopes of the picture's own are cut to several. `quantisation` of DC, by component.
 */
export function fromLoneStep(
  sections: readonly ColouredSection[],
  wide: number,
  quantisation: readonly number[],
): readonly Section[] {
  const changes = sections.map(({ dc }, index) =>
    quantisation.map((step, component) =>
      index === 0 ? 0 : (Math.abs(dc[component] - sections[index - 1].dc[component]) * step) / BLOCK,
    ),
  )
  const isAlone = (index: number, component: number): boolean =>
    sections.every(
      ({ first }, other) =>
        other === index || changes[other][component] === 0 || Math.abs(first - sections[index].first) >= wide,
    )
  const found = changes.findIndex((levels, index) =>
    levels.some((each, component) => each >= SLIGHT || (each > 0 && isAlone(index, component))),
  )
  const step = found < 0 ? sections.length : found
  const count = sections.slice(0, step).reduce((sum, each) => sum + each.count, 0)
  return [{ ...sections[0], count }, ...sections.slice(step)]
}
