import { icon } from '~/ui/icon.tsx'

/** A purse. */
export const TopUpIcon = icon('M2.5 5.5v7h11v-7h-11l8-3v3M10.5 9h.01')
