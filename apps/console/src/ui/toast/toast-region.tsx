import { lazy, Suspense, useState } from 'react'
import { useStore } from '~/lib/store/store.ts'
import { useToasts } from './toasts.ts'

const ToastStack = lazy(async () => ({ default: (await import('./toast-stack.tsx')).ToastStack }))

/** The slot for toasts; their code loads with the first one. */
export function ToastRegion() {
  const any = useStore(useToasts()).length > 0
  const [needed, setNeeded] = useState(any)
  if (any && !needed) setNeeded(true)
  return needed ? (
    <Suspense>
      <ToastStack />
    </Suspense>
  ) : null
}
