import { OptionsTab } from './options-tab.tsx'

/** Quota, general settings, channels and logs. */
export function OperationTab() {
  return <OptionsTab tab="operation" />
}

/** Sign-in methods, security, email, and settings without a group. */
export function SystemTab() {
  return <OptionsTab tab="system" />
}

/** Branding, contents and updates. */
export function OtherTab() {
  return <OptionsTab tab="other" />
}
