/** Styles of a link among icon buttons. */
export const ICON_LINK =
  'text-muted hover:bg-hover hover:text-ink inline-flex size-7 items-center justify-center rounded-md pointer-coarse:size-9'
