import type { ReactNode } from 'react'

/** Drawn for a 16-pixel grid, one stroke width; always decorative, the label belongs to the control. */
function Icon({ children, size = 16 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      {children}
    </svg>
  )
}

export const icon = (path: string) => () => (
  <Icon>
    <path d={path} />
  </Icon>
)
