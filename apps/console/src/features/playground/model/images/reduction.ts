/** How far a picture is reduced before it is sent, from the specification. */
export interface Reduction {
  /** Maximum pixels across and down; smaller pictures keep their size. */
  readonly width: number
  readonly height: number
  readonly quality: number
}

export const DESKTOP_REDUCTION: Reduction = { width: 1_920, height: 1_080, quality: 0.8 }
export const MOBILE_REDUCTION: Reduction = { width: 1_200, height: 1_200, quality: 0.7 }
/** Side of the square thumbnail in the strip, in pixels. */
export const THUMBNAIL_SIZE = 150

interface Size {
  readonly width: number
  readonly height: number
}

/** The largest size within the box that keeps the proportions, in whole pixels, at least 1; never larger than the original. */
export function fitWithin({ width, height }: Size, box: Size): Size {
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export function middleSquare({ width, height }: Size): {
  readonly x: number
  readonly y: number
  readonly side: number
} {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}
