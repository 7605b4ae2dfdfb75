import { icon } from '../icon.tsx'

export const TableIcon = icon('M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 6.3V13')
export const ChartIcon = icon('M2.5 13.5h11M4 11V8M8 11V3.5M12 11V6')
export const DownloadIcon = icon('M8 2.5v7.5M5 7.2l3 3 3-3M2.5 13.5h11')
