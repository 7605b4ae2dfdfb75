/** A day in half hours, a week in quarters of a day, ninety days by day. */
export const HISTORY_RANGES = ['day', 'week', 'quarter'] as const
export type HistoryRange = (typeof HISTORY_RANGES)[number]
