export const SEGMENTS = 'border-control/60 bg-surface relative flex overflow-hidden rounded-md border'

/** One choice: a pressed button, or the label of a checked input. */
export const SEGMENT =
  'text-muted hover:bg-hover hover:text-ink relative flex h-7.5 items-center justify-center px-3 text-sm font-medium max-md:h-10 ' +
  'aria-pressed:bg-accent-soft aria-pressed:text-accent has-checked:bg-accent-soft has-checked:text-accent ' +
  '-outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-accent'
