import { type ReactNode, Suspense } from 'react'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

interface FrameProps {
  readonly headerStart?: ReactNode
  readonly headerEnd: ReactNode
  readonly rail?: ReactNode
  readonly children: ReactNode
}

/** Header, navigation, content and footer. On tablets and wider screens it fills the window and the content scrolls inside. */
export function Frame({ headerStart, headerEnd, rail, children }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col md:h-dvh">
      <Header start={<Suspense>{headerStart}</Suspense>} end={<Suspense>{headerEnd}</Suspense>} />
      <div className="flex min-h-0 grow">
        <Suspense>{rail}</Suspense>
        <main
          id="main"
          tabIndex={-1}
          data-scroll-restoration-id="main"
          className="relative flex min-w-0 grow flex-col md:overflow-y-auto"
        >
          {children}
          <Footer />
        </main>
      </div>
    </div>
  )
}
