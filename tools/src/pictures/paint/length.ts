// `Math.hypot` guards against overflow, which costs a painter of many million distances most of its time.

export function length2(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}

export function length3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}
