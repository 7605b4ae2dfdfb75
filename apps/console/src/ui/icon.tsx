import type { ReactNode } from 'react'

/** Drawn on a 16-pixel grid with one stroke width. Always decorative: the label belongs to the control. */
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

export const CheckIcon = icon('m3 8.5 3.2 3.2L13 4.8')
export const CloseIcon = icon('m4 4 8 8M12 4l-8 8')
export const InfoIcon = icon('M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 7.3v3.6M8 5h.01')
export const WarningIcon = icon('M8 2.2 14.6 13.5H1.4zM8 6.5v3.2M8 11.7h.01')
export const EyeIcon = icon(
  'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
)
export const EyeOffIcon = icon(
  'm2.5 2.5 11 11M6.4 3.8A6 6 0 0 1 8 3.5c4 0 6.5 4.5 6.5 4.5a11 11 0 0 1-1.8 2.3M4 4.9A11 11 0 0 0 1.5 8S4 12.5 8 12.5a6 6 0 0 0 2.9-.7',
)
export const CopyIcon = icon('M6 5.5h6.5v8H6zM9.5 5.5v-3h-6v8H6')
export const ChevronDownIcon = icon('m4 6 4 4 4-4')
