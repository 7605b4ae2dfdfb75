import type { ReactNode } from 'react'

/** Makes the playground of this page view over the conversation that this browser kept. */
export function PlaygroundSession({ children }: { children: ReactNode }) {
  return children
}
