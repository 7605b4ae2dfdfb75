import { drawReduced, type NewCanvas, type Reduced } from './draw.ts'
import type { ReduceAnswer, ReduceOrder } from './reduce-worker.ts'
import type { Reduction } from './reduction.ts'

/** Returns undefined when the picture could not be decoded and drawn. Rejects only with the signal's reason. */
export type Reduce = (file: Blob, reduction: Reduction, signal: AbortSignal) => Promise<Reduced | undefined>

/** In a separate worker for each picture: terminating it frees everything that it held. */
export const reduceInWorker: Reduce = (file, reduction, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(new URL('./reduce-worker.ts', import.meta.url), { type: 'module' })
    const onAbort = () => {
      worker.terminate()
      reject(signal.reason)
    }
    const end = (answer: ReduceAnswer) => {
      signal.removeEventListener('abort', onAbort)
      worker.terminate()
      resolve(answer)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    worker.addEventListener('message', (event: MessageEvent<ReduceAnswer>) => end(event.data))
    worker.addEventListener('error', () => end(undefined))
    const order: ReduceOrder = { file, reduction }
    worker.postMessage(order)
  })

/** For browsers that cannot draw in a worker, and for pictures that only pages can decode (SVG). */
export const reduceInPage: Reduce = async (file, reduction, signal) => {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await aborting(signal, image.decode())
    // SVG drawings may have no size.
    const size = { width: image.naturalWidth || reduction.width, height: image.naturalHeight || reduction.height }
    return await aborting(signal, drawReduced(image, size, reduction, newCanvas))
  } catch {
    signal.throwIfAborted()
    return undefined
  } finally {
    URL.revokeObjectURL(url)
  }
}

const newCanvas: NewCanvas = (width, height) => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no drawing here')
  const toBlob = (quality: number) =>
    new Promise<Blob>((resolve, reject) => {
      const take = (blob: Blob | null) => (blob === null ? reject(new Error('too large to draw')) : resolve(blob))
      canvas.toBlob(take, 'image/jpeg', quality)
    })
  return { context, toBlob }
}

function aborting<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
