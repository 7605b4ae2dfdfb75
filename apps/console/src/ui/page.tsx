import { type ReactNode, useContext, useEffect, useEffectEvent, useRef, createContext } from 'react'

export interface PageFrame {
  /** The system's name, shown after the page's name in the browser's title. */
  readonly titleSuffix: string
  readonly onArrival: (heading: HTMLElement) => void
}

export const PageFrameContext = createContext<PageFrame>({ titleSuffix: '', onArrival: () => undefined })

interface PageProps {
  readonly title: string
  readonly subtitle?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  /**
   * `full` fills the height, for lists that scroll inside; `flow` is as wide and as high as its content needs; `narrow` suits
   * forms.
   */
  readonly width?: 'full' | 'flow' | 'wide' | 'narrow'
}

const WIDTHS = {
  full: 'flex w-full min-w-0 grow flex-col gap-4 px-4 py-4 md:min-h-0 md:px-6 md:py-5',
  flow: 'flex w-full min-w-0 shrink-0 grow flex-col gap-4 px-4 py-4 md:px-6 md:py-5',
  wide: 'mx-auto flex w-full max-w-5xl flex-col gap-5 px-4 py-4 md:px-6 md:py-6',
  narrow: 'mx-auto flex w-full max-w-3xl flex-col gap-5 px-4 py-4 md:px-6 md:py-6',
} as const

interface PageHeadingProps {
  readonly title: string
  /** True for screen readers only, if the page shows in another way what it is. */
  readonly hidden?: boolean
}

/** The only h1 of a page, which takes the focus after a navigation and names the document. */
export function PageHeading({ title, hidden = false }: PageHeadingProps) {
  const { titleSuffix, onArrival } = useContext(PageFrameContext)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = titleSuffix === '' ? title : `${title} · ${titleSuffix}`
  }, [title, titleSuffix])
  const arrive = useEffectEvent(() => heading.current && onArrival(heading.current))
  useEffect(() => {
    arrive()
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={hidden ? 'sr-only' : 'text-lg leading-7 font-semibold tracking-tight'}>
      {title}
    </h1>
  )
}

export function Page({ title, subtitle, actions, children, width = 'full' }: PageProps) {
  return (
    <div className={WIDTHS[width]}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <PageHeading title={title} />
          {subtitle !== undefined && <p className="text-muted text-sm">{subtitle}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
