import { fitWithin, middleSquare, type Reduction, THUMBNAIL_SIZE } from './reduction.ts'

/** Both are `data:image/jpeg;base64,…`. */
export interface Reduced {
  readonly base64: string
  readonly thumbnail: string
}

type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D
export interface Canvas {
  readonly context: Context
  readonly toBlob: (quality: number) => Promise<Blob>
}
/** A worker's canvas and a page's differ. */
export type NewCanvas = (width: number, height: number) => Canvas

const THUMBNAIL_QUALITY = 0.8

/**
 * JPEG, because every provider reads it. Transparent areas become white, and what a camera added (place, time, device) is not sent.
 */
export async function drawReduced(
  source: CanvasImageSource,
  size: { readonly width: number; readonly height: number },
  reduction: Reduction,
  newCanvas: NewCanvas,
): Promise<Reduced> {
  const { width, height } = fitWithin(size, reduction)
  const full = newCanvas(width, height)
  paint(full.context, width, height, () => full.context.drawImage(source, 0, 0, width, height))
  const small = newCanvas(THUMBNAIL_SIZE, THUMBNAIL_SIZE)
  const { x, y, side } = middleSquare(size)
  paint(small.context, THUMBNAIL_SIZE, THUMBNAIL_SIZE, () =>
    small.context.drawImage(source, x, y, side, side, 0, 0, THUMBNAIL_SIZE, THUMBNAIL_SIZE),
  )
  const [base64, thumbnail] = await Promise.all([
    full.toBlob(reduction.quality).then(dataUrlOf),
    small.toBlob(THUMBNAIL_QUALITY).then(dataUrlOf),
  ])
  return { base64, thumbnail }
}

function paint(context: Context, width: number, height: number, draw: () => void): void {
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  draw()
}

/** A `data:` address with the blob's type. Rejects when the blob cannot be read. */
export function dataUrlOf(blob: Blob): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
    reader.readAsDataURL(blob)
  })
}
