import { clsx } from 'clsx'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

const BASE =
  'inline-flex items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none transition-colors ' +
  'disabled:opacity-55 aria-disabled:opacity-55 disabled:cursor-not-allowed'
const VARIANTS: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-accent-solid text-white enabled:hover:bg-accent-solid-hover [a&]:hover:bg-accent-solid-hover',
  secondary: 'border border-control/60 bg-surface text-ink enabled:hover:bg-hover [a&]:hover:bg-hover',
  ghost: 'text-muted enabled:hover:bg-hover enabled:hover:text-ink [a&]:hover:bg-hover [a&]:hover:text-ink',
  danger: 'bg-bad-solid text-white enabled:hover:brightness-110',
}

/** For links that should look like a button. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: 'small' | 'normal' = 'normal'): string {
  return clsx(
    BASE,
    VARIANTS[variant],
    size === 'small' ? 'h-7 px-2.5 text-sm' : 'h-8 px-3 text-sm max-md:h-10 max-md:px-4',
  )
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  readonly variant?: ButtonVariant
  readonly size?: 'small' | 'normal'
  /** Shows a spinner next to the label and ignores presses; the button stays in the tab order. */
  readonly busy?: boolean
  readonly grow?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant,
  size,
  busy = false,
  grow = false,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={clsx(buttonClass(variant, size), grow && 'w-full')}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'className' | 'aria-label' | 'children'
> {
  readonly label: string
  readonly children: ReactNode
  readonly tone?: 'quiet' | 'bordered' | 'solid'
  /** Why the action is not available: the button stays in the tab order, says so, and does nothing. */
  readonly barred?: string | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

/** 28 px square, 36 px for fingers. */
export function IconButton({ label, children, tone = 'quiet', type = 'button', barred, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      {...(barred !== undefined && { 'aria-disabled': true, 'aria-description': barred, onClick: undefined })}
      type={type}
      aria-label={label}
      data-tip={barred === undefined ? label : `${label}\n${barred}`}
      className={clsx(
        BASE,
        'size-7 shrink-0 pointer-coarse:size-9 aria-pressed:bg-accent-soft aria-pressed:text-accent',
        tone === 'quiet'
          ? VARIANTS.ghost
          : clsx(VARIANTS[tone === 'solid' ? 'primary' : 'secondary'], 'size-8 max-md:size-10'),
      )}
    >
      {children}
    </button>
  )
}

/** Appears only after a noticeable wait; the words next to it say what is happening. */
export function Spinner() {
  return (
    <span aria-hidden="true" className="appear-late inline-block size-3.5 shrink-0">
      <span className="block size-full animate-spin rounded-full border-2 border-current border-r-transparent" />
    </span>
  )
}
