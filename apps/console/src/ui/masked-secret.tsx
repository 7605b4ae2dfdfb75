import { useState } from 'react'
import { maskedKey } from '../lib/format/masked-key.ts'
import { IconButton } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { EyeIcon, EyeOffIcon } from './sign-icons.tsx'

interface MaskedSecretProps {
  readonly value: string
  readonly showLabel: string
  readonly hideLabel: string
  readonly copyLabel: string
}

/** A key or code in a list: masked until it is revealed, copied without being shown. */
export function MaskedSecret({ value, showLabel, hideLabel, copyLabel }: MaskedSecretProps) {
  const [shown, setShown] = useState(false)
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      {shown ? (
        // Longer than its cell: it scrolls, is selected as a whole, and its tooltip shows it in full.
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
