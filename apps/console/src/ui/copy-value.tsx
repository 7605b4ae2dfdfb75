import { CopyButton } from './copy-button.tsx'

/** A value for use elsewhere, such as an address or a key: shown in full, with a button that copies it. */
export function CopyValue({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) {
  return (
    <div>
      <p className="mb-1 text-sm font-medium">{label}</p>
      <div className="border-line bg-subtle flex items-center gap-2 rounded-md border py-1 pr-1 pl-3">
        <code className="min-w-0 grow font-mono text-sm break-all">{text}</code>
        <CopyButton text={text} label={copyLabel} />
      </div>
    </div>
  )
}
