import { useState } from 'react'
import { IconButton } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { EyeIcon, EyeOffIcon } from './icon.tsx'

interface MaskedSecretProps {
  readonly value: string
  readonly showLabel: string
  readonly hideLabel: string
  readonly copyLabel: string
}

export function MaskedSecret({ value, showLabel, hideLabel, copyLabel }: MaskedSecretProps) {
  const [shown, setShown] = useState(false)
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      {shown ? (
        // Longer than its cell, so it scrolls, is selected as a whole, and has the full text in its tooltip.
        <code
          tabIndex={0}
          data-tip={value}
          className="min-w-0 overflow-x-auto font-mono text-xs whitespace-nowrap select-all [scrollbar-width:none]"
        >
          {value}
        </code>
      ) : (
        <code className="min-w-0 truncate font-mono text-xs">{maskedKey(value)}</code>
      )}
      <IconButton label={shown ? hideLabel : showLabel} aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? <EyeOffIcon /> : <EyeIcon />}
      </IconButton>
      <CopyButton text={value} label={copyLabel} />
    </span>
  )
}

/** The first and last four characters; a key of eight or fewer is hidden completely. */
export function maskedKey(key: string): string {
  return key.length <= 8 ? '***' : `${key.slice(0, 4)}***${key.slice(-4)}`
}
