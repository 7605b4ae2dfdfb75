/** The heading of the step that is shown. */
export function StepHeading({ children }: { children: string }) {
  return (
    <h2 id="step" tabIndex={-1} className="min-w-0 text-base leading-7 font-semibold wrap-anywhere outline-none">
      {children}
    </h2>
  )
}
