/** Position of an interval on a line of length `span`, as fractions of it. An interval too short to see gets half a percent. */
export function placeOn(
  span: number,
  start: number,
  duration: number,
): { readonly left: number; readonly width: number } {
  const left = Math.min(0.995, Math.max(0, start / span))
  return { left, width: Math.min(1 - left, Math.max(0.005, duration / span)) }
}
