import { icon } from './icon.tsx'

export const EditIcon = icon('m10.5 3 2.5 2.5-7.5 7.5-3 .5.5-3z')
export const TrashIcon = icon('M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4')
export const PlusIcon = icon('M8 3v10M3 8h10')
export const SearchIcon = icon('M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.2 3.2')
export const RefreshIcon = icon('M13.5 3v3.5H10M13.2 6.5A5.5 5.5 0 1 0 13.4 9')
export const MoreIcon = icon('M3.5 8h.01M8 8h.01M12.5 8h.01')
export const ChevronLeftIcon = icon('m10 4-4 4 4 4')
export const ChevronRightIcon = icon('m6 4 4 4-4 4')
export const SortIcon = icon('m5.5 6 2.5-2.5L10.5 6M5.5 10 8 12.5 10.5 10')
export const SortUpIcon = icon('m4.5 9.5 3.5-4 3.5 4')
export const SortDownIcon = icon('m4.5 6.5 3.5 4 3.5-4')
export const ColumnsIcon = icon('M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10')
export const UserIcon = icon(
  'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8ZM2.8 13.5c.6-2.5 2.7-3.8 5.2-3.8s4.6 1.3 5.2 3.8',
)
export const CodeIcon = icon('m5 4.5-3.5 3.5L5 11.5M11 4.5l3.5 3.5-3.5 3.5M9.2 3l-2.4 10')
export const PowerIcon = icon('M8 2v5.5M4.6 4.2a5.3 5.3 0 1 0 6.8 0')
export const ActivityIcon = icon('M1.5 8h3L6.5 3.5l3 9 2-4.5h3')

export const TableIcon = icon('M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 6.3V13')
export const ChartIcon = icon('M2.5 13.5h11M4 11V8M8 11V3.5M12 11V6')
export const DownloadIcon = icon('M8 2.5v7.5M5 7.2l3 3 3-3M2.5 13.5h11')
