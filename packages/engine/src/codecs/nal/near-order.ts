/**
 * Bits by which a picture's order count speaks for being a neighbour's: its lowest `width` bits lie within 2^`near` of those of
 * the last picture's order, around where they begin anew. 0 where they do not, or where so few bits are always near.
 */
export function nearOrderBits(lowBits: number, lastOrder: number, width: number, near: number): number {
  if (width <= near) return 0
  const max = 2 ** width
  const apart = (((lowBits - lastOrder) % max) + max) % max
  const span = 2 ** (near - 1)
  return apart < span || max - apart < span ? width - near : 0
}
