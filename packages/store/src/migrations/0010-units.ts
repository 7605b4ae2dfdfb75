import type { Migration } from '../migration.ts'

/**
 * Charges for more than text tokens, and what a receipt needs besides the charge. `units` are counts (`transfer`, `log`) and rates
 * (`price`) by class, as JSON text; null for the charges that have none. Sums are taken by what was charged for, so the tokens
 * among the units have columns of their own.
 */
export const units: Migration = {
  name: '0010-units',
  breaking: false,
  statements: (t) => [
    `alter table transfer add column other_prompt_tokens ${t.safeInteger} not null default 0`,
    `alter table transfer add column other_output_tokens ${t.safeInteger} not null default 0`,
    `alter table transfer add column units ${t.text}`,
    `alter table price add column units ${t.text}`,
    `alter table log add column units ${t.text}`,
    `alter table trace add column held ${t.int8} not null default 0`,
    `alter table trace add column upstream_usage ${t.text} not null default ''`,
  ],
}
