import { OptionsTab } from './options-tab.tsx'

/** Quota, general settings, channels and logs. */
export function OperationTab() {
  return <OptionsTab tab="operation" />
}

/** Ways of signing in, security, email, and what belongs to no group. */
export function SystemTab() {
  return <OptionsTab tab="system" />
}

/** Branding, contents and updates. */
export function OtherTab() {
  return <OptionsTab tab="other" />
}
