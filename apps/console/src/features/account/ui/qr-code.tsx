import { qrPath } from '../model/qr-code.ts'
import type { QrGrid } from '../model/qr-grid.ts'

/** Squares of margin that readers need. */
const MARGIN = 4

/** A QR code, dark on white in both themes: many readers know no other. */
export function QrCode({ grid, label }: { grid: QrGrid; label: string }) {
  const side = grid.size + 2 * MARGIN
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 self-center rounded-md bg-white forced-color-adjust-none"
    >
      <path d={qrPath(grid)} fill="black" />
    </svg>
  )
}
