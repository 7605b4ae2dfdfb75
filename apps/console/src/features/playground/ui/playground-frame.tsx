import type { ReactNode } from 'react'

interface PlaygroundFrameProps {
  readonly sidebar: ReactNode
  readonly toolbar: ReactNode
  readonly composer: ReactNode
  readonly children: ReactNode
}

/** Fills the window below the header: settings at the side, the conversation, the composer always in sight. */
export function PlaygroundFrame({ sidebar, toolbar, composer, children }: PlaygroundFrameProps) {
  return (
    <div className="flex min-h-0 grow">
      <aside className="border-line w-72 overflow-y-auto border-e max-md:hidden">{sidebar}</aside>
      <div className="flex min-w-0 grow flex-col">
        {toolbar}
        <div className="min-h-0 grow overflow-y-auto">{children}</div>
        {composer}
      </div>
    </div>
  )
}
