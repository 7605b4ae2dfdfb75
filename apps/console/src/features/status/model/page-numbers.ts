/** Maximum number of page buttons. */
const MOST = 5

/** Pages, from 0, that have a button: at most five around the current one. */
export function pageNumbers(current: number, pages: number): readonly number[] {
  const count = Math.min(MOST, pages)
  const first = Math.max(0, Math.min(current - Math.floor(MOST / 2), pages - count))
  return Array.from({ length: count }, (_, index) => first + index)
}
