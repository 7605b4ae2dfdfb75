import { icon } from '~/ui/icon.tsx'

export const SlidersIcon = icon(
  'M2.5 4.5h5M11 4.5h2.5M2.5 11.5H5M8.5 11.5h5M9.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM6.7 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
)
export const CompareIcon = icon('M2.5 3h11v10h-11zM8 3v10')
export const FocusIcon = icon('M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M8 8h.01')
export const ComposeIcon = icon('M8 2.5H2.5v11h11V8M6 10l.4-2.2 5.9-5.9 1.8 1.8-5.9 5.9z')
export const SendIcon = icon('M8 13V3M3.5 7.5 8 3l4.5 4.5')
export const StopIcon = icon('M4.5 4.5h7v7h-7zM6 6h4v4H6zM7.5 8h1')
export const SaveIcon = icon('M8 2.5v7.5M4.5 6.8 8 10l3.5-3.2M2.5 13.5h11')
