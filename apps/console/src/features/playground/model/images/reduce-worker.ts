import { drawReduced, type NewCanvas, type Reduced } from './draw.ts'
import type { Reduction } from './reduction.ts'

export interface ReduceOrder {
  readonly file: Blob
  readonly reduction: Reduction
}

/** Undefined when the browser cannot decode the picture here. */
export type ReduceAnswer = Reduced | undefined

const newCanvas: NewCanvas = (width, height) => {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no drawing here')
  return { context, toBlob: (quality) => canvas.convertToBlob({ type: 'image/jpeg', quality }) }
}

async function reduce({ file, reduction }: ReduceOrder): Promise<ReduceAnswer> {
  try {
    const bitmap = await createImageBitmap(file)
    return await drawReduced(bitmap, bitmap, reduction, newCanvas)
  } catch {
    return undefined
  }
}

addEventListener('message', (event: MessageEvent<ReduceOrder>) => {
  void reduce(event.data).then((answer) => postMessage(answer))
})
