/** How far a picture is made smaller before it is sent; the specification's numbers. */
export interface Reduction {
  /** Maximum pixels across and down; smaller pictures keep their size. */
  readonly width: number
  readonly height: number
  /** Quality of the JPEG, 0 to 1. */
  readonly quality: number
}

export const DESKTOP_REDUCTION: Reduction = { width: 1_920, height: 1_080, quality: 0.8 }
export const MOBILE_REDUCTION: Reduction = { width: 1_200, height: 1_200, quality: 0.7 }
/** Pixels across and down of the thumbnail in the strip. */
export const THUMBNAIL_SIZE = 150

interface Size {
  readonly width: number
  readonly height: number
}

/** The largest size with the same proportions within a box, in whole pixels, at least 1; never larger than the original. */
export function fitWithin({ width, height }: Size, box: Size): Size {
  const scale = Math.min(1, box.width / width, box.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The largest square in the middle. */
export function middleSquare({ width, height }: Size): {
  readonly x: number
  readonly y: number
  readonly side: number
} {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}
