/** The heading of the step that is shown. */
export function StepHeading({ children }: { children: string }) {
  return (
    <h2 id="step" tabIndex={-1} className="min-w-0 text-base leading-7 font-semibold wrap-anywhere outline-none">
      {children}
    </h2>
  )
}

/** How much is done, from 0 to 1. */
export function ProgressBar({ label, share }: { label: string; share: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="bg-subtle h-1.5 w-full overflow-hidden rounded-full"
    >
      <div className="bg-accent-solid h-full rounded-full transition-[width]" style={{ width: `${share * 100}%` }} />
    </div>
  )
}
