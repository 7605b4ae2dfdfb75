/** What the stacked charts add up. Expenses are quota points. */
export const METRICS = ['tokens', 'requests', 'expenses'] as const
export type Metric = (typeof METRICS)[number]
