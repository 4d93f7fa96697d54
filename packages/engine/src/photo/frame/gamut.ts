/** Levels by which rounding may carry a mean beyond black and white. */
const ROUNDING = 3
/** DC is eight times the mean of a block: ITU-T T.81 §A.3.3. */
const DC_SCALE = 8

/**
 * The part of a picture's MCUs whose mean colour would be none, with such steps of DC: `means` are those of luminance and both
 * colour differences in quantised units, an MCU each. Means of what is between black and white in red, green and blue are between
 * them, too, so a camera's own steps give next to none. ITU-T T.871 §7.
 */
export function beyondGamut(
  [luminance, blue, red]: readonly Float32Array[],
  [step, blueStep, redStep]: readonly number[],
): number {
  const slack = ROUNDING + (step + 1.772 * Math.max(blueStep, redStep)) / (2 * DC_SCALE)
  let beyond = 0
  for (let i = 0; i < luminance.length; i++) {
    const y = 128 + (luminance[i] * step) / DC_SCALE
    const cb = (blue[i] * blueStep) / DC_SCALE
    const cr = (red[i] * redStep) / DC_SCALE
    const colours = [y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb]
    if (Math.min(...colours) < -slack || Math.max(...colours) > 255 + slack) beyond++
  }
  return beyond / Math.max(1, luminance.length)
}
