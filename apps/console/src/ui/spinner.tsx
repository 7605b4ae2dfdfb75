/** Turns only after the wait has become noticeable; the words next to it say what is happening. */
export function Spinner() {
  return (
    <span aria-hidden="true" className="appear-late inline-block size-3.5 shrink-0">
      <span className="block size-full animate-spin rounded-full border-2 border-current border-r-transparent" />
    </span>
  )
}
